import STContracts
import STDesktop

/// What a window calls itself, for want of anybody who knows the apps of this computer.
enum WindowNaming {
    static func app(of window: DesktopWindow) -> AppIdentity? {
        let names = [window.desktopFile, window.windowClass, window.instance]
        guard let name = names.compactMap(\.self).first(where: { !$0.isEmpty }) else { return nil }
        return AppIdentity(id: name, clue: .itself, steps: ["The window calls itself “\(name)”."])
    }
}
