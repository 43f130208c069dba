import STDesktop
import STScreen

/// The app that a notification is counted for.
enum NotifyingApp {
    private static let unknown = "unknown"

    /// `named` finds the app that people call so.
    static func id(_ source: NotificationSource, _ named: (String) -> String?) -> String {
        switch source {
        case .desktopEntry(let entry): named(entry) ?? entry
        case .named(let name): named(name) ?? name
        case .process(let pid):
            ProcessFacts.read(pid: pid).executable?.split(separator: "/").last.map(String.init) ?? unknown
        case .nobody: unknown
        }
    }
}
