import Glibc
import STMonitorCore
import STServiceKit

@main
enum Main {
    static func main() async { exit(await ServiceProcess.run(MonitorService.definition())) }
}
