import STContracts
import STDesktopCore
import STPlatform
import STServiceKit

extension ShieldSettings {
    init(_ configuration: Configuration, environment: [String: String], kind: AdapterKind) {
        self.init(
            escalation: Escalation(rawValue: configuration.value(.desktopEscalation)) ?? .pause,
            escalateAfterMs: configuration.number(.desktopEscalateAfter),
            language: Self.language(configuration, environment),
            appearance: DrawAppearance(environment: environment),
            framesArePixels: kind == .x11
        )
    }

    /// As the settings say, else the session's own, such as `ko_KR`.
    static func language(_ configuration: Configuration, _ environment: [String: String]) -> String {
        let set = configuration.value(.desktopLanguage)
        return (set.isEmpty ? SessionLanguage.tag(environment) : SessionLanguage.tag(set)) ?? "en"
    }
}
