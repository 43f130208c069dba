package import STContracts
import STDomain
package import STEngine
import STPlatform

/// Counts every change of policy, saves it and publishes it.
package enum ChangeLog {
    /// How many rows are kept; beyond that the oldest are folded into what was before.
    package static let rowsMax: Int64 = 20_000
    /// The size of all bodies together, in bytes.
    package static let bytesMax: Int64 = 64 * 1024 * 1024
    /// Folded at once, so that most changes need no folding.
    static let foldedAtOnce: Int64 = 500

    static func begin(_ state: inout ShieldState, _ change: StoreTransaction) throws {
        guard state.changes.sinceWallMs == 0 else { return }
        state.changes.sinceWallMs = change.now.wallMs
        try ChangeTable.set(since: change.now.wallMs, change.database)
    }

    /// Nil for a store that is deleted.
    ///
    /// Never too large for an event: what others have decided, such as a revocation, cannot be refused.
    static func tell(
        _ name: StoreName,
        _ store: NamedStore?,
        _ route: String,
        cause: String?,
        _ state: inout ShieldState,
        _ change: StoreTransaction
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
            // The store was as large as it may be, so the event has no room for the rest: it leaves out what the store
            // names, and the change itself is published.
            body.shields = StoreShieldsBody(StoreShields())
            body.settings = [:]
        }
        state.policy.apply(body)
        let event = try change.emit(
            PolicyStoreChanged.self,
            subject: "store/\(name.member)/\(name.app)/\(name.store)",
            body
        )
        try write(event, name.member, route, cause: cause, isGone: store == nil, &state, change)
    }

    /// Replaces what is always allowed for a member.
    static func allow(
        _ items: [TokenItem],
        member: String,
        _ route: String,
        cause: String?,
        _ state: inout ShieldState,
        _ change: StoreTransaction
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
        try write(event, member, route, cause: cause, isGone: items.isEmpty, &state, change)
    }

    /// More time was granted, or a grant is over: in force from now on.
    ///
    /// `RequestTable` reads the requests back at a start, and puts those that are on into `state.policy`.
    package static func grant(
        _ request: RequestView,
        route: String,
        cause: String?,
        _ state: inout ShieldState,
        _ change: StoreTransaction
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
        try write(event, request.member, route, cause: cause, isGone: isGone, &state, change)
    }

    /// Saves the latest change of `state.policy`, which the event published.
    private static func write(
        _ event: WireEvent,
        _ member: String,
        _ route: String,
        cause: String?,
        isGone: Bool,
        _ state: inout ShieldState,
        _ change: StoreTransaction
    ) throws {
        let row = ChangeRow(
            policy: state.policy.number,
            subject: event.header.subject,
            member: member,
            route: route,
            wallMs: event.header.timeMs,
            cause: cause,
            type: event.header.type,
            body: event.body,
            isGone: isGone
        )
        try ChangeTable.insert(row, change.database)
        state.changes.rows += 1
        state.changes.bytes += Int64(row.body.count)
        while state.changes.rows > rowsMax || state.changes.bytes > bytesMax && state.changes.rows > 1 {
            try ChangeTable.fold(&state.changes, min(foldedAtOnce, state.changes.rows - 1), change.database)
        }
    }
}

/// The size of the saved changes, so that checking the limits needs no counting.
package struct ChangeLogSize: Sendable, Equatable {
    package var rows: Int64 = 0
    package var bytes: Int64 = 0
    /// Since when changes are written down; what was before is folded into one.
    package var sinceWallMs: Int64 = 0
}
