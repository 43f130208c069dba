import Glibc
import STReportCore
import STServiceKit

@main
enum Main {
    static func main() async { exit(await ServiceProcess.run(ReportService.definition())) }
}
