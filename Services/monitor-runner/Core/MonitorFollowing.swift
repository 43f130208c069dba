import STContracts
import STEngine
import STPlatform

/// What the streams of other services do here.
enum MonitorFollowing {
    static let subscriptions: [Subscription<MonitorState>] = [
        Subscription(
            source: .activity,
            stream: .activity,
            // Deliveries are ours and stay: a snapshot may only add to them.
            reset: { _, _ in },
            apply: { _, event, change in try activity(event, change) }
        ),
        Subscription(
            source: .auth,
            stream: .authorization,
            reset: { state, change in
                state.monitors = [:]
                state.permissions = [:]
                try PermissionStore.clear(change.database)
            },
            apply: { state, event, change in try authorization(event, &state, change) }
        ),
        RuleShieldFollowing.subscription,
    ]

    private static let occasions: Set<String> = [
        IntervalStarted.type, IntervalEnded.type, IntervalWillStart.type, IntervalWillEnd.type,
        ThresholdReached.type, ThresholdWarning.type,
    ]

    /// A callback is written down in the same transaction as the cursor: no event without it, and none twice.
    private static func activity(_ event: WireEvent, _ change: StoreTransaction) throws {
        if event.header.type == EvidenceForgotten.type {
            return try ForgottenEvidence.strip(try event.decoded(EvidenceForgotten.self), change)
        }
        guard occasions.contains(event.header.type) else { return }
        let occurrence = try event.decoded(IntervalStarted.self)
        // An occasion of a newer version has no callback here.
        guard let method = MonitorMethod(occurrence.occasion) else { return }
        let database = change.database
        guard try !DeliveryStore.isForgotten(event.header, database) else { return }
        var standing = DeliveryStore.Standing(state: .queued)
        if try DeliveryStore.isFull(app: occurrence.app, database) {
            standing.state = .parked
            standing.finishedMs = change.now.wallMs
            standing.result.problem = Problem(
                "delivery.queue_full",
                "\(DeliveryStore.openMax) callbacks of \(occurrence.app) wait already; this one was not tried."
            )
        }
        let number = try DeliveryStore.insert(
            event.header,
            occurrence,
            method,
            standing,
            nowMs: change.now.wallMs,
            database
        )
        if let number { try DeliveryJournal.tell(number, change) }
    }

    private static func authorization(
        _ event: WireEvent,
        _ state: inout MonitorState,
        _ change: StoreTransaction
    ) throws {
        switch event.header.type {
        case AppInstalled.type:
            let manifest = try event.decoded(AppInstalled.self).manifest
            let monitor = manifest.extensions.first { $0.point == ExtensionPoint.monitor.rawValue }
            state.monitors[manifest.id] = .some(monitor?.executable)
            try PermissionStore.set(app: manifest.id, executable: monitor?.executable, change.database)
        case AppRemoved.type:
            let app = try event.decoded(AppRemoved.self).app
            state.monitors[app] = nil
            state.permissions = state.permissions.filter { $0.key.app != app }
            state.debugged[app] = nil
            try PermissionStore.remove(app: app, change.database)
        case AuthorizationChanged.type:
            let word = try event.decoded(AuthorizationChanged.self)
            let permission = MonitorState.Permission(app: word.app, member: word.member)
            let mayWatch = word.status == .approved && word.access
            state.permissions[permission] = mayWatch
            try PermissionStore.set(permission, mayWatch, change.database)
        default: return
        }
    }
}
