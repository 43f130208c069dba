import STContracts
import STNotifierCore
import STPlatform
import STServiceKit

@main
enum Main {
    static func main() {
        // The notifications of a simulation must never appear on a real screen.
        let isVirtual = !ProcessEnvironment.current()[ClockPage.variable, default: ""].isEmpty
        ServiceProcess.main(.notifier) { host, surroundings in
            let wanted = !isVirtual && surroundings.configuration.value(.notifierDesktop) == "on"
            try await DeliveryLoop(host, surroundings, withDesktop: wanted).run()
        } make: { configuration in
            NotifierService.definition(
                desktop: !isVirtual && configuration.value(.notifierDesktop) == "on",
                language: SessionLanguage.tag(ProcessEnvironment.current()) ?? "en"
            )
        }
    }
}
