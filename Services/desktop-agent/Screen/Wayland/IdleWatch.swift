import STCScreen

/// Whether anybody touches anything, as the compositor tells; films and calls that inhibit idleness count as touching.
final class IdleWatch {
    private let standard: OpaquePointer?
    private let kde: OpaquePointer?
    var onIdle: (() -> Void)?
    var onTouched: (() -> Void)?

    /// Nil when the compositor does not tell.
    init?(_ connection: WaylandConnection, seat: OpaquePointer, afterMs: UInt32) {
        let data: UnsafeMutableRawPointer
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
        data = Unmanaged.passUnretained(self).toOpaque()
        if let standard { ext_idle_notification_v1_add_listener(standard, Self.standardListener, data) }
        if let kde { org_kde_kwin_idle_timeout_add_listener(kde, Self.kdeListener, data) }
    }

    private static func watch(_ data: UnsafeMutableRawPointer?) -> IdleWatch? {
        data.map { Unmanaged<IdleWatch>.fromOpaque($0).takeUnretainedValue() }
    }

    // unsafe: written once, before anybody reads it.

    private nonisolated(unsafe) static let standardListener = Listener.keep(
        ext_idle_notification_v1_listener(
            idled: { data, _ in IdleWatch.watch(data)?.onIdle?() },
            resumed: { data, _ in IdleWatch.watch(data)?.onTouched?() }
        )
    )

    // unsafe: written once, before anybody reads it.

    private nonisolated(unsafe) static let kdeListener = Listener.keep(
        org_kde_kwin_idle_timeout_listener(
            idle: { data, _ in IdleWatch.watch(data)?.onIdle?() },
            resumed: { data, _ in IdleWatch.watch(data)?.onTouched?() }
        )
    )
}
