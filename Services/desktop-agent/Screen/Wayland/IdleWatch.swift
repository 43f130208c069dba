import STCScreen
import STDesktop
import STPlatform

/// Reports user input and its absence, from the compositor. Films and calls that inhibit idleness count as input.
///
/// Two timers are used: one for a short time without input, one for the idle time. An inhibitor that starts between them delays
/// only the second event.
final class IdleWatch {
    private var timers: [IdleTimer] = []
    private let onEvent: (DesktopEvent) -> Void
    /// The moment of the last input, while the user is idle. `nil` while there is input.
    private(set) var since: BootTime?

    /// Returns `nil` if the compositor does not report idleness.
    init?(
        _ connection: WaylandConnection,
        seat: OpaquePointer,
        after length: Duration,
        heard: @escaping (DesktopEvent) -> Void
    ) {
        self.onEvent = heard
        // A minimum, so that a wrong setting does not wake the thread continuously.
        let idleAfter = max(.milliseconds(50), length)
        let words: [(Duration, (BootTime) -> DesktopEvent)] = [
            (min(idleAfter, .milliseconds(DesktopEvent.quietMs)), { .quiet(sinceBootMs: $0.ms) }),
            (idleAfter, { .idle(sinceBootMs: $0.ms) }),
        ]
        for (delay, word) in words {
            let timer = IdleTimer(connection, seat: seat, afterMs: UInt32(clamping: delay.ms)) {
                [weak self] isIdle in
                guard let self else { return }
                if isIdle {
                    self.idled(Stopwatch.bootTime() - delay, word)
                } else {
                    self.inputDidResume()
                }
            }
            guard let timer else { return nil }
            timers.append(timer)
        }
    }

    private func idled(_ since: BootTime, _ word: (BootTime) -> DesktopEvent) {
        self.since = since
        onEvent(word(since))
    }

    private func inputDidResume() {
        guard since != nil else { return }
        since = nil
        onEvent(.touched(atBootMs: Stopwatch.bootMilliseconds()))
    }
}

/// A timer of the compositor for one length of time without input.
private final class IdleTimer {
    private let standard: OpaquePointer?
    private let kde: OpaquePointer?
    private let onChange: (Bool) -> Void

    init?(
        _ connection: WaylandConnection,
        seat: OpaquePointer,
        afterMs: UInt32,
        heard: @escaping (_ isIdle: Bool) -> Void
    ) {
        self.onChange = heard
        let notifier = connection.bind("ext_idle_notifier_v1", upTo: 1) {
            stw_bind_ext_idle_notifier_v1($0, $1, $2)
        }
        if let notifier {
            standard = ext_idle_notifier_v1_get_idle_notification(notifier, afterMs, seat)
            kde = nil
            ext_idle_notifier_v1_destroy(notifier)
        } else {
            let idle = connection.bind("org_kde_kwin_idle", upTo: 1) {
                stw_bind_org_kde_kwin_idle($0, $1, $2)
            }
            guard let idle else { return nil }
            standard = nil
            kde = org_kde_kwin_idle_get_idle_timeout(idle, seat, afterMs)
            org_kde_kwin_idle_destroy(idle)
        }
        let data = Unmanaged.passUnretained(self).toOpaque()
        if let standard { ext_idle_notification_v1_add_listener(standard, Self.standardListener, data) }
        if let kde { org_kde_kwin_idle_timeout_add_listener(kde, Self.kdeListener, data) }
    }

    private static func timer(_ data: UnsafeMutableRawPointer?) -> IdleTimer? {
        data.map { Unmanaged<IdleTimer>.fromOpaque($0).takeUnretainedValue() }
    }

    // unsafe: written once, before its first use.
    private nonisolated(unsafe) static let standardListener = Listener.keep(
        ext_idle_notification_v1_listener(
            idled: { data, _ in IdleTimer.timer(data)?.onChange(true) },
            resumed: { data, _ in IdleTimer.timer(data)?.onChange(false) }
        )
    )

    // unsafe: written once, before its first use.
    private nonisolated(unsafe) static let kdeListener = Listener.keep(
        org_kde_kwin_idle_timeout_listener(
            idle: { data, _ in IdleTimer.timer(data)?.onChange(true) },
            resumed: { data, _ in IdleTimer.timer(data)?.onChange(false) }
        )
    )
}
