import STContracts
package import STEngine
import STFollowing
package import STPlatform

/// All changes of the requests: by a route, or when a moment is due.
package enum RequestHandlers {
    /// Returns the moment at which the next grant begins or ends.
    package static func due(_ state: ShieldState, _ context: RequestContext) -> Deadlines {
        state.requests.due(bootID: context.bootID)
    }

    /// Begins and ends the grants that are due.
    package static func advance(
        _ state: inout ShieldState,
        context: RequestContext,
        change: StoreTransaction
    )
        throws
    {
        try update(&state, context: context, change: change) { _ in }
    }

    /// Changes the requests, performs what is due, saves the difference, and publishes each grant that began or ended.
    static func update<Result>(
        _ state: inout ShieldState,
        context: RequestContext,
        change: StoreTransaction,
        body: (inout MoreTimeRequests) throws -> Result
    ) throws -> Result {
        let old = state.requests
        var book = old
        // Delete old requests first, so that a request that ends below is stored until its end is published.
        book.removeOld(context.now, bootID: context.bootID)
        let day = RequestAdding.day(context, book)
        // A request that ended in the meantime can no longer be answered or revoked.
        _ = book.advance(context.now, bootID: context.bootID, day: day)
        let result = try body(&book)
        _ = book.advance(context.now, bootID: context.bootID, day: day)
        try saveChanges(
            book,
            by: try context.prepared.reply(AuthProve.self)?.by,
            route: context.header.route,
            cause: context.header.cause,
            zone: context.zone,
            state: &state,
            change: change
        )
        return result
    }

    /// Ends the requests and grants of a removed member, and deletes the member's rule and codes.
    static func removeMember(_ member: String, state: inout ShieldState, change: StoreTransaction) throws {
        var book = state.requests
        book.removeMember(member, change.now)
        try state.agreedSettings.remove(member: member, id: HouseholdRule.requests, change.database)
        try saveChanges(
            book,
            by: nil,
            route: MemberRemoved.type,
            cause: change.cause,
            zone: nil,
            state: &state,
            change: change
        )
    }

    private static func saveChanges(
        _ book: MoreTimeRequests,
        by prover: String?,
        route: String,
        cause: String?,
        zone: String?,
        state: inout ShieldState,
        change: StoreTransaction
    ) throws {
        let old = state.requests
        try RequestTable.save(book, after: old, change.database)
        state.requests = book
        for number in Set(old.requests.keys).union(book.requests.keys).sorted() {
            guard let new = book.requests[number], new.state != old.requests[number]?.state else { continue }
            let things = itemNames(new, state)
            let what = summary(new, things)
            try change.emit(
                RequestChanged.self,
                subject: "request/\(new.name)",
                RequestUpdate(request: new.view, what: what.english, things: things, zone: zone)
            )
            guard new.fromMs != nil else { continue }
            try ChangeLog.recordGrant(
                new.view,
                route: route,
                cause: cause,
                state: &state,
                change: change
            )
            guard new.state == .granted else { continue }
            try change.recordHistory(
                HistoryLine(
                    .grant,
                    .loosened,
                    about: new.name,
                    member: new.member,
                    by: new.answeredBy,
                    after: what,
                    why: new.origin.map {
                        Message("history-why.granted-on", "granted on \($0.device, "machine")")
                    } ?? new.because.map { Message(verbatim: $0) }
                )
            )
        }
        for member in Set(old.rules.keys).union(book.rules.keys).sorted() {
            guard let line = rule(member, old: old, new: book, state: state, by: prover) else { continue }
            try change.recordHistory(line)
        }
    }

    /// Returns text such as `15 min of Firefox`.
    private static func summary(_ request: MoreTimeRequest, _ things: String?) -> Message {
        let time = MessageValue.duration(ms: request.durationMs)
        guard let things else {
            return Message("request-notice.time-of-everything", "\(time, "time") for everything")
        }
        return Message("request-notice.time-of", "\(time, "time") of \(things, "things")")
    }

    /// Returns text such as `Firefox, social`. Returns `nil` for a request for everything.
    private static func itemNames(_ request: MoreTimeRequest, _ state: ShieldState) -> String? {
        let names = request.items.map { item in
            item.kind == .application
                ? state.facts.known[SubjectFactIndex.key(item.id)]?.name ?? item.id : item.id
        }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    private static func rule(
        _ member: String,
        old: MoreTimeRequests,
        new: MoreTimeRequests,
        state: ShieldState,
        by: String?
    )
        -> HistoryLine?
    {
        let isChild = state.household.members.first { $0.name == member }?.role == .child
        let (before, after) = (
            old.rule(of: member, isChild: isChild), new.rule(of: member, isChild: isChild)
        )
        guard before != after else { return nil }
        return HistoryLine(
            .request,
            after.isLooser(than: before) ? .loosened : .tightened,
            member: member,
            by: by,
            before: CustomRequestRule.text(before),
            after: CustomRequestRule.text(after)
        )
    }

    /// Does the same as `changing` for a route that answers a request.
    static func answer(
        _ state: inout ShieldState,
        context: RequestContext,
        change: StoreTransaction,
        body: (inout MoreTimeRequests) throws -> (request: MoreTimeRequest, refusal: Problem?)
    ) throws -> RequestAnswered {
        let (request, refusal) = try update(&state, context: context, change: change, body: body)
        return RequestAnswered(request: request.view, refusal: refusal)
    }
}
