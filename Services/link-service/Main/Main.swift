import STContracts
import STLinkCore
import STPlatform
import STServiceKit

@main
enum Main {
    static func main() {
        ServiceProcess.main(LinkService.definition()) { host, surroundings in
            try await LinkWorker(host, surroundings).run()
        }
    }
}
