import STMonitorCore
import STServiceKit

@main
enum Main {
    static func main() { ServiceProcess.main(MonitorService.definition()) }
}
