import STContracts
import STDesktopCore
import STPlatform
import STServiceKit

extension PanelSettings {
    /// As the session has it: its language, and whether it is a dark one, as far as it says so.
    static func session(_ environment: [String: String], _ configuration: Configuration) -> PanelSettings {
        PanelSettings(
            language: ShieldSettings.language(configuration, environment),
            appearance: DrawAppearance(environment: environment),
            // An X11 screen shows corners only with a compositor, which nobody promises.
            isRounded: !environment["WAYLAND_DISPLAY", default: ""].isEmpty,
            hasCountdown: configuration.value(.desktopCountdown) == "on",
            framesArePixels: environment["WAYLAND_DISPLAY", default: ""].isEmpty
        )
    }
}
