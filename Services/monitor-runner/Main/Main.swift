import STContracts
import STMonitorCore
import STServiceKit

@main
enum Main {
    static func main() {
        ServiceProcess.main(.monitor) { host, surroundings in
            try await MonitorCompanion.run(host, surroundings)
        } make: { configuration in
            MonitorService.definition(attempts: configuration.number(.attempts))
        }
    }
}
