import Glibc
import STCScreen
import STDesktop
import STPlatform

/// Whether somebody is there.
///
/// The server's counter IDLETIME rings an alarm when it grows beyond the limit and another one when it falls back;
/// both stay armed. Where the server has no such counter, XScreenSaver is asked: once when the limit may be reached, and
/// while nobody is there once a second.
extension XDesk {
    private static let askAgainMs: Int64 = 1_000
    /// Answers take their time, so the same moment comes out a little different each time.
    private static let jitterMs: Int64 = 100

    func startIdle(afterMs: Int64) {
        idle.afterMs = max(1, afterMs)
        idle.means = Self.idleMeans(connection, withCounters: usesCounters)
        switch idle.means {
        case .counter(let counter):
            idle.idleAlarm = connection.newID()
            idle.touchedAlarm = connection.newID()
            st_alarm_create(connection.raw, idle.idleAlarm, counter, idle.afterMs, true)
            st_alarm_create(connection.raw, idle.touchedAlarm, counter, idle.afterMs - 1, false)
            // An alarm rings only when the limit is passed, and it may have been passed long ago.
            if let quietMs = quietMs(), quietMs >= idle.afterMs { becomeIdle(quietMs: quietMs) }
        case .screenSaver: askScreenSaver()
        case .none: break
        }
    }

    static func idleMeans(_ connection: XConnection, withCounters: Bool = true) -> XIdle.Means {
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

    func alarmRang(_ event: UnsafeMutablePointer<xcb_generic_event_t>) {
        var alarm: UInt32 = 0
        var value: Int64 = 0
        var serverMs: UInt32 = 0
        st_alarm(event, &alarm, &value, &serverMs)
        // The counter is as it was when it rang, which a busy machine may hear of later.
        let lateMs = clock.age(ofServerMs: serverMs, nowMonotonicMs: Stopwatch.milliseconds())
        if alarm == idle.idleAlarm { becomeIdle(quietMs: max(value, idle.afterMs) + lateMs) }
        if alarm == idle.touchedAlarm { becomeTouched(agoMs: max(0, value) + lateMs) }
    }

    private func becomeIdle(quietMs: Int64) {
        guard !idle.isIdle else { return }
        idle.isIdle = true
        idle.sinceBootMs = nowBootMs - quietMs
        heard(.idle(sinceBootMs: idle.sinceBootMs))
    }

    private func becomeTouched(agoMs: Int64) {
        guard idle.isIdle else { return }
        idle.isIdle = false
        heard(.touched(atBootMs: nowBootMs - agoMs))
    }

    /// For how long nobody has touched anything; nil: the display does not say.
    func quietMs() -> Int64? {
        guard !hasEnded else { return nil }
        switch idle.means {
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

    private func askScreenSaver() {
        guard let quietMs = quietMs() else { return }
        // Somebody may have come and gone since it was asked last.
        let lastBootMs = nowBootMs - quietMs
        if idle.isIdle, lastBootMs > idle.sinceBootMs + Self.jitterMs { becomeTouched(agoMs: quietMs) }
        if quietMs >= idle.afterMs { becomeIdle(quietMs: quietMs) }
        let next = idle.isIdle ? Self.askAgainMs : idle.afterMs - quietMs
        loop.after(milliseconds: next) { [weak self] in self?.askScreenSaver() }
    }
}
