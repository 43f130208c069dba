import Glibc
import STCScreen
import STDesktop
import STPlatform

/// Detects user input and its absence.
///
/// An alarm of the server's counter IDLETIME fires when the counter exceeds the limit, and another one when it falls back. All
/// alarms stay armed. If the server has no such counter, XScreenSaver is polled: once when the limit may be reached, and once per
/// second without input.
final class XIdle {
    enum Means: Equatable {
        /// A counter of the server with alarms, which needs no polling.
        case counter(UInt32)
        /// The extension XScreenSaver, which must be polled.
        case screenSaver
        case none
    }

    private static let pollInterval = Duration.seconds(1)
    /// Tolerance for the moment of the last input. Replies take a varying time, so the computed moment varies.
    private static let jitter = Duration.milliseconds(100)

    private let connection: XConnection
    private let loop: LoopThread
    private let onEvent: (DesktopEvent) -> Void
    private var means = Means.none
    private var idleAfter = Duration.zero
    private var quietAfter = Duration.zero
    private var quietAlarm: UInt32 = 0
    private var idleAlarm: UInt32 = 0
    private var inputAlarm: UInt32 = 0
    private var isQuiet = false
    private var isIdle = false
    private var since = BootTime.start

    init(_ connection: XConnection, _ loop: LoopThread, heard: @escaping (DesktopEvent) -> Void) {
        self.connection = connection
        self.loop = loop
        self.onEvent = heard
    }

    var isKnown: Bool { means != .none }

    func start(after length: Duration, withCounters: Bool) {
        idleAfter = max(.milliseconds(1), length)
        quietAfter = min(idleAfter, .milliseconds(DesktopEvent.quietMs))
        means = Self.means(of: connection, withCounters: withCounters)
        switch means {
        case .counter(let counter):
            quietAlarm = connection.newID()
            idleAlarm = connection.newID()
            inputAlarm = connection.newID()
            st_alarm_create(connection.raw, quietAlarm, counter, quietAfter.ms, true)
            st_alarm_create(connection.raw, idleAlarm, counter, idleAfter.ms, true)
            st_alarm_create(connection.raw, inputAlarm, counter, quietAfter.ms - 1, false)
            // An alarm fires only when the limit is crossed, which may have happened long ago.
            if let quiet = quietTime() { update(quietFor: quiet) }
        case .screenSaver: pollScreenSaver()
        case .none: break
        }
    }

    /// Stops polling and reporting.
    func stop() { means = .none }

    static func means(of connection: XConnection, withCounters: Bool = true) -> Means {
        if withCounters, connection.firstEvent(of: ST_SYNC) != nil {
            let cookie = xcb_sync_initialize(connection.raw, 3, 1)
            free(xcb_sync_initialize_reply(connection.raw, cookie, nil))
            let list = xcb_sync_list_system_counters(connection.raw)
            if let reply = xcb_sync_list_system_counters_reply(connection.raw, list, nil) {
                defer { free(reply) }
                let counter = st_counter(reply, "IDLETIME")
                if counter != 0 { return .counter(counter) }
            }
        }
        return connection.firstEvent(of: ST_SCREENSAVER) != nil ? .screenSaver : .none
    }

    func alarmDidFire(_ event: UnsafeMutablePointer<xcb_generic_event_t>) {
        var alarm: UInt32 = 0
        var value: Int64 = 0
        var serverMs: UInt32 = 0
        st_alarm(event, &alarm, &value, &serverMs)
        let counted = Duration.milliseconds(value)
        // The value is from the moment of the alarm, which a busy machine may process later.
        let late = connection.age(ofServerMs: serverMs)
        if alarm == quietAlarm { update(quietFor: max(counted, quietAfter) + late) }
        if alarm == idleAlarm { update(quietFor: max(counted, idleAfter) + late) }
        if alarm == inputAlarm { inputDidResume(after: max(.zero, counted) + late) }
    }

    /// Returns the time without user input. Returns `nil` if the display does not report it.
    func quietTime() -> Duration? {
        switch means {
        case .counter(let counter):
            let cookie = xcb_sync_query_counter(connection.raw, counter)
            guard let reply = xcb_sync_query_counter_reply(connection.raw, cookie, nil) else { return nil }
            defer { free(reply) }
            let value = reply.pointee.counter_value
            return .milliseconds(Int64(value.hi) << 32 | Int64(value.lo))
        case .screenSaver:
            let cookie = xcb_screensaver_query_info(connection.raw, connection.root)
            guard let reply = xcb_screensaver_query_info_reply(connection.raw, cookie, nil) else {
                return nil
            }
            defer { free(reply) }
            return .milliseconds(Int64(reply.pointee.ms_since_user_input))
        case .none: return nil
        }
    }

    private func update(quietFor quiet: Duration) {
        let since = Stopwatch.bootTime() - quiet
        if !isQuiet, quiet >= quietAfter {
            isQuiet = true
            self.since = since
            onEvent(.quiet(sinceBootMs: since.ms))
        }
        if !isIdle, quiet >= idleAfter {
            isIdle = true
            self.since = since
            onEvent(.idle(sinceBootMs: since.ms))
        }
    }

    private func inputDidResume(after age: Duration) {
        guard isQuiet else { return }
        isQuiet = false
        isIdle = false
        onEvent(.touched(atBootMs: (Stopwatch.bootTime() - age).ms))
    }

    private func pollScreenSaver() {
        guard let quiet = quietTime() else { return }
        // The user may have been active and left again since the last poll.
        let last = Stopwatch.bootTime() - quiet
        if isQuiet, last > since + Self.jitter { inputDidResume(after: quiet) }
        update(quietFor: quiet)
        let next = isQuiet ? Self.pollInterval : quietAfter - quiet
        loop.after(milliseconds: next.ms) { [weak self] in self?.pollScreenSaver() }
    }
}
