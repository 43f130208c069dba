import STReportCore
import STServiceKit

@main
enum Main {
    static func main() {
        ServiceProcess.main(ReportService.definition()) { host, surroundings in
            try await ReportCompanion.run(host, surroundings)
        }
    }
}
