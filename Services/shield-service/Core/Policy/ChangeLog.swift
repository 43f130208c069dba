package import STContracts
import STDomain
package import STEngine
package import STPlatform

/// Numbers each change of policy, saves it and publishes it.
package enum ChangeLog {
    /// Upper bound on the saved changes. Older ones are folded into the base, one row per subject.
    package static let rowsMax: Int64 = 20_000
    /// Upper bound on the size of all saved bodies together, in bytes.
    package static let bytesMax: Int64 = 64 * 1024 * 1024
    /// Number of rows folded together, so that most changes need no folding.
    static let foldedAtOnce: Int64 = 500

    static func begin(_ state: inout ShieldState, _ change: StoreTransaction) throws {
        guard state.changes.since == WallTime(ms: 0) else { return }
        state.changes.since = change.now.wall
        try ChangeTable.set(since: change.now.wall, change.database)
    }

    /// Publishes a change of a store. `store` is `nil` if it was deleted.
    ///
    /// Never refuses a change for its size, because others have already decided it, for example a revocation.
    static func recordStore(
        _ name: StoreName,
        store: NamedStore?,
        route: String,
        cause: String?,
        state: inout ShieldState,
        change: StoreTransaction
    ) throws {
        var body = PolicyStore(
            policy: state.policy.number + 1,
            app: name.app,
            member: name.member,
            store: name.store,
            version: store?.version ?? 0,
            isInForce: store?.isInForce ?? false,
            reason: store == nil ? "deleted" : store?.reason,
            shields: StoreShieldsBody(store?.shields ?? StoreShields()),
            settings: SettingWire.canonical(
                (store?.values ?? [:]).filter { !StoreShields.keys.contains($0.key) }
            ),
            wallMs: change.now.wallMs,
            cause: cause
        )
        if try body.encodedBody().count > BusLimits.eventBodyBytes {
            // The event of a store of maximum size can be too large. It then omits the shields and settings, and only the change
            // itself is published.
            body.shields = StoreShieldsBody(StoreShields())
            body.settings = [:]
        }
        state.policy.apply(body)
        let event = try change.emit(
            PolicyStoreChanged.self,
            subject: "store/\(name.member)/\(name.app)/\(name.store)",
            body
        )
        try write(
            event,
            member: name.member,
            route: route,
            cause: cause,
            isGone: store == nil,
            state: &state,
            change: change
        )
    }

    /// Replaces the always-allowed list of a member.
    static func recordAllowance(
        _ items: [TokenItem],
        member: String,
        route: String,
        cause: String?,
        state: inout ShieldState,
        change: StoreTransaction
    ) throws {
        let body = PolicyAllowed(
            policy: state.policy.number + 1,
            member: member,
            items: items,
            wallMs: change.now.wallMs,
            cause: cause
        )
        state.policy.apply(body)
        state.allowed[member] = items
        let event = try change.emit(PolicyAllowedChanged.self, subject: "allowed/\(member)", body)
        try write(
            event,
            member: member,
            route: route,
            cause: cause,
            isGone: items.isEmpty,
            state: &state,
            change: change
        )
    }

    /// Publishes that more time was granted, or that a grant is over. The change applies immediately.
    ///
    /// `RequestTable` loads the requests at the start, and applies the current grants to `state.policy`.
    package static func recordGrant(
        _ request: RequestView,
        route: String,
        cause: String?,
        state: inout ShieldState,
        change: StoreTransaction
    ) throws {
        let body = PolicyGrant(
            policy: state.policy.number + 1,
            request: request,
            wallMs: change.now.wallMs,
            cause: cause
        )
        state.policy.apply(body)
        let event = try change.emit(PolicyGrantChanged.self, subject: "grant/\(request.request)", body)
        let isGone = request.state != .granted
        try write(
            event,
            member: request.member,
            route: route,
            cause: cause,
            isGone: isGone,
            state: &state,
            change: change
        )
    }

    /// Saves the latest change of `state.policy`, which `event` published.
    private static func write(
        _ event: WireEvent,
        member: String,
        route: String,
        cause: String?,
        isGone: Bool,
        state: inout ShieldState,
        change: StoreTransaction
    ) throws {
        let row = ChangeRow(
            policy: state.policy.number,
            subject: event.header.subject,
            member: member,
            route: route,
            wall: WallTime(ms: event.header.timeMs),
            cause: cause,
            type: event.header.type,
            body: event.body,
            isGone: isGone
        )
        try ChangeTable.insert(row, change.database)
        state.changes.rows += 1
        state.changes.bytes += Int64(row.body.count)
        while state.changes.rows > rowsMax || state.changes.bytes > bytesMax && state.changes.rows > 1 {
            try ChangeTable.fold(
                &state.changes,
                count: min(foldedAtOnce, state.changes.rows - 1),
                database: change.database
            )
        }
    }
}

/// The size of the saved changes, kept so that checking the limits needs no counting.
package struct ChangeLogSize: Sendable, Equatable {
    package var rows: Int64 = 0
    package var bytes: Int64 = 0
    /// The time from which on each change is saved. Earlier changes are folded into the base.
    package var since = WallTime(ms: 0)
}
