import STContracts
package import STEngine
import STFollowing
package import STPlatform

/// All changes of the requests: by a route, or when a moment is due.
package enum RequestHandlers {
    /// Returns the moment at which the next grant begins or ends.
    package static func due(_ state: ShieldState, _ context: RequestContext) -> DueMoments {
        state.requests.due(bootID: context.bootID)
    }

    /// Begins and ends the grants that are due.
    package static func advance(
        _ state: inout ShieldState,
        _ context: RequestContext,
        _ change: StoreTransaction
    )
        throws
    {
        try changing(&state, context, change) { _ in }
    }

    /// Changes the requests, performs what is due, saves the difference, and publishes each grant that began or ended.
    static func changing<Result>(
        _ state: inout ShieldState,
        _ context: RequestContext,
        _ change: StoreTransaction,
        _ body: (inout RequestBook) throws -> Result
    ) throws -> Result {
        let old = state.requests
        var book = old
        // Delete old requests first, so that a request that ends below is stored until its end is published.
        book.forgetOld(context.now, bootID: context.bootID)
        let day = RequestAdding.day(context, book)
        // A request that ended in the meantime can no longer be answered or revoked.
        _ = book.advance(context.now, bootID: context.bootID, day: day)
        let result = try body(&book)
        _ = book.advance(context.now, bootID: context.bootID, day: day)
        try settle(
            book,
            by: try context.prepared.of(AuthProve.self)?.by,
            route: context.header.route,
            cause: context.header.cause,
            zone: context.zone,
            &state,
            change
        )
        return result
    }

    /// Ends the requests and grants of a removed member, and deletes the member's rule and codes.
    static func forget(_ member: String, _ state: inout ShieldState, _ change: StoreTransaction) throws {
        var book = state.requests
        book.forget(member, change.now)
        try state.agreed.forget(member: member, id: HouseholdRule.requests, change.database)
        try settle(book, by: nil, route: MemberRemoved.type, cause: change.cause, zone: nil, &state, change)
    }

    private static func settle(
        _ book: RequestBook,
        by prover: String?,
        route: String,
        cause: String?,
        zone: String?,
        _ state: inout ShieldState,
        _ change: StoreTransaction
    ) throws {
        let old = state.requests
        try RequestTable.save(book, after: old, change.database)
        state.requests = book
        for number in Set(old.requests.keys).union(book.requests.keys).sorted() {
            guard let new = book.requests[number], new.state != old.requests[number]?.state else { continue }
            let things = things(new, state)
            let what = what(new, things)
            try change.emit(
                RequestChanged.self,
                subject: "request/\(new.name)",
                RequestNews(request: new.view, what: what.english, things: things, zone: zone)
            )
            guard new.fromMs != nil else { continue }
            try ChangeLog.grant(
                new.view,
                route: route,
                cause: cause,
                &state,
                change
            )
            guard new.state == .granted else { continue }
            try change.remember(
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
            guard let line = rule(member, old, book, state, prover) else { continue }
            try change.remember(line)
        }
    }

    /// Returns text such as `15 min of Firefox`.
    private static func what(_ request: MoreTime, _ things: String?) -> Message {
        let time = MessageValue.duration(ms: request.durationMs)
        guard let things else {
            return Message("request-notice.time-of-everything", "\(time, "time") of everything")
        }
        return Message("request-notice.time-of", "\(time, "time") of \(things, "things")")
    }

    /// Returns text such as `Firefox, social`. Returns `nil` for a request for everything.
    private static func things(_ request: MoreTime, _ state: ShieldState) -> String? {
        let names = request.items.map { item in
            item.kind == .application ? state.facts.known[FactBook.key(item.id)]?.name ?? item.id : item.id
        }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    private static func rule(
        _ member: String,
        _ old: RequestBook,
        _ new: RequestBook,
        _ state: ShieldState,
        _ by: String?
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
            before: OwnRule.text(before),
            after: OwnRule.text(after)
        )
    }

    /// Does the same as `changing` for a route that answers a request.
    static func answering(
        _ state: inout ShieldState,
        _ context: RequestContext,
        _ change: StoreTransaction,
        _ body: (inout RequestBook) throws -> (request: MoreTime, refusal: Problem?)
    ) throws -> RequestAnswered {
        let (request, refusal) = try changing(&state, context, change, body)
        return RequestAnswered(request: request.view, refusal: refusal)
    }
}
