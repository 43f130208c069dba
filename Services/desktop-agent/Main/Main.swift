import STDesktopCore
import STServiceKit

@main
enum Main {
    static func main() {
        ServiceProcess.main(DesktopService.definition()) { host, surroundings in
            try await ObservationSender(host, surroundings).run()
        }
    }
}
