/// How much a notification may disturb.
public enum UNNotificationInterruptionLevel: UInt, Sendable {
    /// Not at all.
    case passive

    /// As they do.
    case active

    /// At once.
    case timeSensitive

    /// Until it is answered.
    case critical
}
