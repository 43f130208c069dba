/// How this display tells that nobody is there.
struct XIdle {
    enum Means: Equatable {
        /// A counter of the server's that tells when it passes a value: nothing has to ask.
        case counter(UInt32)
        /// XScreenSaver, which has to be asked.
        case screenSaver
        case none
    }

    var means = Means.none
    var afterMs: Int64 = 0
    var idleAlarm: UInt32 = 0
    var touchedAlarm: UInt32 = 0
    var isIdle = false
    var sinceBootMs: Int64 = 0

    var isKnown: Bool { means != .none }
}
