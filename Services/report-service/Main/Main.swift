import STReportCore
import STServiceKit

@main
enum Main {
    static func main() {
        ServiceProcess.main(ReportService.definition()) { host, surroundings in
            let rebuilder = Rebuilder(host, surroundings)
            await rebuilder.begin()
            do {
                try await ReportWorker.run(host, surroundings)
            } catch {
                await rebuilder.stop()
                throw error
            }
            await rebuilder.stop()
        }
    }
}
