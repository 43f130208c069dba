import STContracts
import STMonitorCore
import STPlatform
import STServiceKit

@main
enum Main {
    static func main() {
        ServiceProcess.main(.monitor) { host, surroundings in
            try await MonitorCompanion.run(host, surroundings)
        } make: { configuration in
            MonitorService.definition(
                attempts: configuration.number(.attempts),
                language: SessionLanguage.tag(ProcessEnvironment.current()) ?? "en"
            )
        }
    }
}
