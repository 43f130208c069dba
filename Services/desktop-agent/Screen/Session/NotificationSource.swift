/// Who put a notification before the user, as well as that is known.
package enum NotificationSource: Sendable, Hashable {
    /// The name of its desktop entry, by its own word.
    case desktopEntry(String)
    /// What it calls itself.
    case named(String)
    /// It says nothing of itself.
    case process(Int32)
    case nobody
}
