import STContracts
import STPlatform
import STServiceKit
import STShieldCore

@main
enum Main {
    static func main() {
        let language = SessionLanguage.tag(ProcessEnvironment.current()) ?? "en"
        ServiceProcess.main(.shield) { host, surroundings in
            try await ShieldWorker.run(host, surroundings, language: language)
        } make: { _ in
            ShieldService.definition(language: language)
        }
    }
}
