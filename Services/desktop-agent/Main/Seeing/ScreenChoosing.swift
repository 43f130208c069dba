import STContracts
import STDesktop
import STPlatform
import STScreen

/// Which screen there is, by this process's environment.
enum ScreenChoosing {
    static func choose(_ environment: [String: String], setting: String) -> ChosenScreen {
        let signs = ScreenSigns.gather(environment)
        let choice = AdapterChoice.make(signs, setting: setting)
        let screen: (any DesktopScreen)? =
            switch choice.kind {
            case .x11: X11Screen(environment: environment)
            case .wlroots: WaylandScreen(environment: environment)
            case .scripted, .none, .unknown: nil
            }
        return ChosenScreen(signs: signs, choice: choice, screen: screen)
    }
}
