import STContracts
import STEngine
import STPlatform
import STStore

/// Applies the events of other services.
enum MonitorFollowing {
    static let subscriptions: [Subscription<MonitorState>] = [
        Subscription(
            source: .activity,
            stream: .activity,
            // Deliveries belong to this service and remain. A snapshot only adds to them.
            reset: { _, _ in },
            apply: { _, event, change in try activity(event, change) }
        ),
        Subscription(
            source: .auth,
            stream: .authorization,
            reset: { state, change in
                state.monitors = [:]
                state.permissions = [:]
                try PermissionTables.clear(change.database)
            },
            apply: { state, event, change in try authorization(event, state: &state, change: change) }
        ),
    ]

    private static let occasions: Set<String> = [
        IntervalStarted.type, IntervalEnded.type, IntervalWillStart.type, IntervalWillEnd.type,
        ThresholdReached.type, ThresholdWarning.type, ThresholdReturned.type,
    ]

    /// Queues the callback of an app in the transaction that moves the cursor. No event is lost, and none takes effect twice.
    ///
    /// Records the delivery of a rule's occurrence as done, because activity-center has applied the occurrence to the rule.
    private static func activity(_ event: WireEvent, _ change: StoreTransaction) throws {
        if event.header.type == EvidenceForgotten.type {
            return try ForgottenEvidence.strip(try event.decoded(EvidenceForgotten.self), change)
        }
        guard occasions.contains(event.header.type) else { return }
        let occurrence = try event.decoded(IntervalStarted.self)
        // Newer versions may send occasions that have no callback here.
        guard let method = MonitorMethod(occurrence.occasion) else { return }
        let database = change.database
        guard try !DeliveryTables.isTrimmed(event.header, database) else { return }
        var standing = DeliveryTables.DeliveryProgress(state: .queued)
        if occurrence.app == BuiltInRules.app {
            standing.state = .done
            standing.finished = change.now.wall
        } else if try DeliveryTables.isFull(app: occurrence.app, database) {
            standing.state = .parked
            standing.finished = change.now.wall
            standing.result.problem = Problem(
                "delivery.queue_full",
                """
                \(DeliveryTables.openMax, "most") callbacks of \(occurrence.app, "app") are already waiting, \
                so this callback was not run.
                """
            )
        }
        let queued = change.now.wall
        let delivery = try DeliveryTables.insert(
            event.header,
            occurrence: occurrence,
            method: method,
            standing: standing,
            queued: queued,
            database: database
        )
        guard let delivery else { return }
        try DeliveryJournal.publish(delivery, standing: standing, queued: queued, change: change)
    }

    private static func authorization(
        _ event: WireEvent,
        state: inout MonitorState,
        change: StoreTransaction
    ) throws {
        switch event.header.type {
        case AppInstalled.type:
            let manifest = try event.decoded(AppInstalled.self).manifest
            let monitor = manifest.extensions.first { $0.point == ExtensionPoint.monitor.rawValue }
            state.monitors[manifest.id] = .some(monitor?.executable)
            try PermissionTables.set(app: manifest.id, executable: monitor?.executable, change.database)
        case AppRemoved.type:
            let app = try event.decoded(AppRemoved.self).app
            state.monitors[app] = nil
            state.permissions = state.permissions.filter { $0.key.app != app }
            state.debugged[app] = nil
            try PermissionTables.remove(app: app, change.database)
        case AuthorizationChanged.type:
            let word = try event.decoded(AuthorizationChanged.self)
            let permission = MonitorState.Permission(app: word.app, member: word.member)
            let mayWatch = word.status == .approved && word.access
            state.permissions[permission] = mayWatch
            try PermissionTables.set(permission, mayWatch: mayWatch, database: change.database)
        default: return
        }
    }
}

/// Removes deleted usage from the evidence in deliveries.
enum ForgottenEvidence {
    static func strip(_ body: EvidenceForgotten.Body, _ change: StoreTransaction) throws {
        let segments = Set(body.segments)
        var changed: [(number: Int64, occurrence: [UInt8])] = []
        try change.database.query(
            // Rows: all deliveries, at most 22,000, when a person deletes their past.
            "SELECT number, occurrence FROM deliveries WHERE member = ?",
            [.text(body.member)]
        ) { row in
            var occurrence = try ActivityOccurrence.decodedBody(try row.blob(1))
            if occurrence.evidence.forget(segments).isEmpty { return }
            changed.append((try row.int(0), try occurrence.encodedBody()))
        }
        for (number, occurrence) in changed {
            try change.database.run(
                "UPDATE deliveries SET occurrence = ? WHERE number = ?",
                [.blob(occurrence), .integer(number)]
            )
        }
        if !changed.isEmpty { try change.scrubAfterCommit() }
    }
}
