import STContracts
import STDesktopCore
import STPlatform
import STServiceKit

// The language, the colours and the units of the screen, from the settings and the session.

extension DrawAppearance {
    /// Chooses dark if the session names a dark theme.
    init(environment: [String: String]) {
        let theme = environment["GTK_THEME", default: ""].lowercased()
        self = theme.hasSuffix("dark") ? .dark : .light
    }
}

extension ShieldSettings {
    init(_ configuration: Configuration, environment: [String: String], kind: AdapterKind) {
        self.init(
            escalation: Escalation(rawValue: configuration.value(.desktopEscalation)) ?? .pause,
            escalateAfter: .milliseconds(configuration.number(.desktopEscalateAfter)),
            language: Self.language(configuration, environment),
            appearance: DrawAppearance(environment: environment),
            framesArePixels: kind == .x11
        )
    }

    /// Returns the language of the settings, or else of the session, for example `ko_KR`.
    static func language(_ configuration: Configuration, _ environment: [String: String]) -> String {
        let set = configuration.value(.desktopLanguage)
        return (set.isEmpty ? SessionLanguage.tag(environment) : SessionLanguage.tag(set)) ?? "en"
    }
}

extension PanelSettings {
    static func session(_ environment: [String: String], _ configuration: Configuration) -> PanelSettings {
        let isWayland = !environment["WAYLAND_DISPLAY", default: ""].isEmpty
        return PanelSettings(
            language: ShieldSettings.language(configuration, environment),
            appearance: DrawAppearance(environment: environment),
            // An X11 screen shows corners only with a compositor, which may be missing.
            isRounded: isWayland,
            hasCountdown: configuration.value(.desktopCountdown) == "on",
            framesArePixels: !isWayland
        )
    }
}
