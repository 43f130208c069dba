import STMonitorCore
import STServiceKit

@main
enum Main {
    static func main() {
        ServiceProcess.main(MonitorService.definition()) { host, surroundings in
            try await MonitorCompanion.run(host, surroundings)
        }
    }
}
