import STReportCore
import STServiceKit

@main
enum Main {
    static func main() {
        ServiceProcess.main(ReportService.definition()) { host, surroundings in
            let rebuilder = Rebuilder(host, surroundings)
            await rebuilder.begin()
            // Until the process stops.
            for await _ in host.bell.rings {}
            await rebuilder.stop()
        }
    }
}
