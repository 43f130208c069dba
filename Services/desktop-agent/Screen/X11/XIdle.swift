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

    private static let pollIntervalMs: Int64 = 1_000
    /// Tolerance for the moment of the last input. Replies take a varying time, so the computed moment varies.
    private static let jitterMs: Int64 = 100

    private let connection: XConnection
    private let loop: LoopThread
    private let onEvent: (DesktopEvent) -> Void
    private var means = Means.none
    private var afterMs: Int64 = 0
    private var quietAfterMs: Int64 = 0
    private var quietAlarm: UInt32 = 0
    private var idleAlarm: UInt32 = 0
    private var inputAlarm: UInt32 = 0
    private var isQuiet = false
    private var isIdle = false
    private var sinceBootMs: Int64 = 0

    init(_ connection: XConnection, _ loop: LoopThread, heard: @escaping (DesktopEvent) -> Void) {
        self.connection = connection
        self.loop = loop
        self.onEvent = heard
    }

    var isKnown: Bool { means != .none }

    func start(afterMs: Int64, withCounters: Bool) {
        self.afterMs = max(1, afterMs)
        quietAfterMs = min(self.afterMs, DesktopEvent.quietMs)
        means = Self.means(of: connection, withCounters: withCounters)
        switch means {
        case .counter(let counter):
            quietAlarm = connection.newID()
            idleAlarm = connection.newID()
            inputAlarm = connection.newID()
            st_alarm_create(connection.raw, quietAlarm, counter, quietAfterMs, true)
            st_alarm_create(connection.raw, idleAlarm, counter, self.afterMs, true)
            st_alarm_create(connection.raw, inputAlarm, counter, quietAfterMs - 1, false)
            // An alarm fires only when the limit is crossed, which may have happened long ago.
            if let quietMs = quietMs() { update(quietMs: quietMs) }
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
        // The value is from the moment of the alarm, which a busy machine may process later.
        let lateMs = connection.age(ofServerMs: serverMs)
        if alarm == quietAlarm { update(quietMs: max(value, quietAfterMs) + lateMs) }
        if alarm == idleAlarm { update(quietMs: max(value, afterMs) + lateMs) }
        if alarm == inputAlarm { inputDidResume(agoMs: max(0, value) + lateMs) }
    }

    /// Returns the time without user input. Returns `nil` if the display does not report it.
    func quietMs() -> Int64? {
        switch means {
        case .counter(let counter):
            let cookie = xcb_sync_query_counter(connection.raw, counter)
            guard let reply = xcb_sync_query_counter_reply(connection.raw, cookie, nil) else { return nil }
            defer { free(reply) }
            let value = reply.pointee.counter_value
            return Int64(value.hi) << 32 | Int64(value.lo)
        case .screenSaver:
            let cookie = xcb_screensaver_query_info(connection.raw, connection.root)
            guard let reply = xcb_screensaver_query_info_reply(connection.raw, cookie, nil) else {
                return nil
            }
            defer { free(reply) }
            return Int64(reply.pointee.ms_since_user_input)
        case .none: return nil
        }
    }

    private func update(quietMs: Int64) {
        let since = Stopwatch.bootMilliseconds() - quietMs
        if !isQuiet, quietMs >= quietAfterMs {
            isQuiet = true
            sinceBootMs = since
            onEvent(.quiet(sinceBootMs: since))
        }
        if !isIdle, quietMs >= afterMs {
            isIdle = true
            sinceBootMs = since
            onEvent(.idle(sinceBootMs: since))
        }
    }

    private func inputDidResume(agoMs: Int64) {
        guard isQuiet else { return }
        isQuiet = false
        isIdle = false
        onEvent(.touched(atBootMs: Stopwatch.bootMilliseconds() - agoMs))
    }

    private func pollScreenSaver() {
        guard let quietMs = quietMs() else { return }
        // The user may have been active and left again since the last poll.
        let lastBootMs = Stopwatch.bootMilliseconds() - quietMs
        if isQuiet, lastBootMs > sinceBootMs + Self.jitterMs { inputDidResume(agoMs: quietMs) }
        update(quietMs: quietMs)
        let next = isQuiet ? Self.pollIntervalMs : quietAfterMs - quietMs
        loop.after(milliseconds: next) { [weak self] in self?.pollScreenSaver() }
    }
}
