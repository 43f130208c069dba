import STServiceKit
import STShieldCore

@main
enum Main {
    static func main() {
        ServiceProcess.main(ShieldService.definition()) { host, surroundings in
            try await RequestKeeper(host: host, surroundings: surroundings).run()
        }
    }
}
