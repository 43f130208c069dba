import STCScreen
import STDesktop
import STPlatform

/// Whether the user touches anything, as the compositor tells; films and calls that inhibit idleness count as touching.
final class IdleWatch {
    private let standard: OpaquePointer?
    private let kde: OpaquePointer?
    private let afterMs: UInt32
    private let heard: (DesktopEvent) -> Void
    /// Since when nothing has been touched; nil while something is.
    private(set) var sinceBootMs: Int64?

    /// Nil when the compositor does not tell.
    init?(
        _ connection: WaylandConnection,
        seat: OpaquePointer,
        afterMs: Int64,
        heard: @escaping (DesktopEvent) -> Void
    ) {
        // At least a moment, so that a mistake in a setting does not wake the thread without end.
        self.afterMs = UInt32(clamping: max(50, afterMs))
        self.heard = heard
        let notifier = connection.bind("ext_idle_notifier_v1", upTo: 1) {
            stw_bind_ext_idle_notifier_v1($0, $1, $2)
        }
        if let notifier {
            standard = ext_idle_notifier_v1_get_idle_notification(notifier, self.afterMs, seat)
            kde = nil
            ext_idle_notifier_v1_destroy(notifier)
        } else {
            let idle = connection.bind("org_kde_kwin_idle", upTo: 1) {
                stw_bind_org_kde_kwin_idle($0, $1, $2)
            }
            guard let idle else { return nil }
            standard = nil
            kde = org_kde_kwin_idle_get_idle_timeout(idle, seat, self.afterMs)
            org_kde_kwin_idle_destroy(idle)
        }
        let data = Unmanaged.passUnretained(self).toOpaque()
        if let standard { ext_idle_notification_v1_add_listener(standard, Self.standardListener, data) }
        if let kde { org_kde_kwin_idle_timeout_add_listener(kde, Self.kdeListener, data) }
    }

    private func idled() {
        let since = Stopwatch.bootMilliseconds() - Int64(afterMs)
        sinceBootMs = since
        heard(.idle(sinceBootMs: since))
    }

    private func touched() {
        sinceBootMs = nil
        heard(.touched(atBootMs: Stopwatch.bootMilliseconds()))
    }

    private static func watch(_ data: UnsafeMutableRawPointer?) -> IdleWatch? {
        data.map { Unmanaged<IdleWatch>.fromOpaque($0).takeUnretainedValue() }
    }

    // unsafe: written once, before its first use.
    private nonisolated(unsafe) static let standardListener = Listener.keep(
        ext_idle_notification_v1_listener(
            idled: { data, _ in IdleWatch.watch(data)?.idled() },
            resumed: { data, _ in IdleWatch.watch(data)?.touched() }
        )
    )

    // unsafe: written once, before its first use.
    private nonisolated(unsafe) static let kdeListener = Listener.keep(
        org_kde_kwin_idle_timeout_listener(
            idle: { data, _ in IdleWatch.watch(data)?.idled() },
            resumed: { data, _ in IdleWatch.watch(data)?.touched() }
        )
    )
}
