import STContracts
import STDesktopCore
import STPlatform
import STServiceKit

// What the settings and the session say together: language, colours, and how the screen measures.

extension DrawAppearance {
    /// Dark where the session names a theme that is a dark one.
    init(environment: [String: String]) {
        let theme = environment["GTK_THEME", default: ""].lowercased()
        self = theme.hasSuffix("dark") ? .dark : .light
    }
}

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
