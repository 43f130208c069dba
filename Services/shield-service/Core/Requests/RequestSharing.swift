import STContracts
import STEngine
import STPlatform

/// Shares grants: a grant to a person on one machine of a household applies on all of that person's machines.
enum RequestSharing {
    /// Upper bound on the stored grants of other machines. A household can send any number of them.
    private static let keptMax = 5 * HouseholdRequest.max

    static let route: ServiceRoute<ShieldState> = .write(RequestFollow.self) {
        state,
        request,
        context,
        change in
        guard
            max(request.granted?.count ?? 0, request.takenBack.count, request.answers?.count ?? 0)
                <= HouseholdRequest.max
        else {
            throw Problem(
                "request.too_many",
                "A message can contain at most \(HouseholdRequest.max, "most") requests.",
                key: "request.too_many.at-most-requests",
                field: "/granted"
            )
        }
        let members = Set(request.members)
        try RequestHandlers.update(&state, context: context, change: change) { book in
            if let granted = request.granted {
                apply(granted.filter { members.contains($0.member) }, of: members, context, in: &book)
            }
            for name in request.takenBack {
                guard
                    let own = book.requests.values.first(where: { $0.origin == nil && $0.sharedName == name })
                else { continue }
                if own.state == .granted { _ = book.close(own.number, as: .revoked, context.now) }
            }
            for answer in request.answers ?? [] { apply(answer, context, in: &book) }
        }
        return RequestFollow.Reply(
            open: open(of: members, context, state.requests),
            takenBack: revoked(context, state.requests)
        )
    }

    private static func apply(
        _ granted: [HouseholdRequest],
        of members: Set<String>,
        _ context: RequestContext,
        in book: inout MoreTimeRequests
    ) {
        let heard = Set(granted.compactMap(\.key))
        for request in book.requests.values where request.state == .granted {
            guard members.contains(request.member), let origin = request.origin,
                !heard.contains(origin.key)
            else { continue }
            // The machine of this grant has revoked it, or no longer belongs to the household.
            _ = book.close(request.number, as: .ended, context.now)
        }
        let known = Set(book.requests.values.compactMap(\.origin?.key))
        for request in granted {
            guard let key = request.key, !known.contains(key), let checked = checked(request),
                book.requests.values.count(where: { $0.origin != nil }) < keptMax
            else { continue }
            book.lastNumber += 1
            var taken = MoreTimeRequest(
                number: book.lastNumber,
                member: request.member,
                isChild: false,
                items: checked.items,
                duration: .milliseconds(checked.durationMs),
                because: checked.because,
                shield: nil,
                asked: context.now.wall
            )
            taken.origin = MoreTimeRequest.Origin(key: key, device: request.device ?? "")
            book.requests[taken.number] = taken
            _ = book.grant(
                taken.number,
                for: .milliseconds(min(request.leftMs, checked.durationMs)),
                by: request.by ?? RequestView.ownRule,
                context.now,
                bootID: context.bootID
            )
            // The grants of a day are counted over all machines.
            if request.by == RequestView.ownRule {
                if book.dayClock == nil { book.dayClock = DayClock(context.now, bootID: context.bootID) }
                book.recordGrant(request.member, day: RequestAdding.day(context, book))
            }
        }
    }

    /// Applies a guardian's reply from a phone to a request, unless the request has another answer already.
    private static func apply(
        _ answer: HouseholdAnswer,
        _ context: RequestContext,
        in book: inout MoreTimeRequests
    ) {
        guard HouseholdRule.isName(answer.by),
            var own = book.requests.values.first(where: {
                $0.origin == nil && $0.sharedName == answer.request
            }), own.state == .waiting, own.grants == nil
        else { return }
        if let length = answer.forMs.map(Duration.milliseconds) {
            guard length > .zero else { return }
            let granted = min(length, own.duration)
            _ = book.grant(own.number, for: granted, by: answer.by, context.now, bootID: context.bootID)
            return
        }
        own.state = .denied
        own.answeredMs = context.now.wallMs
        own.answeredBy = answer.by
        own.answer = (try? RequestCheck.words(answer.because, "/answers")).map { Message(verbatim: $0) }
        book.requests[own.number] = own
    }

    /// Returns the request of a grant, or `nil` if this machine would not accept such a request from a person.
    private static func checked(_ request: HouseholdRequest) -> RequestAdd.Request? {
        let names = [request.key ?? "", request.by ?? "", request.device ?? ""]
        guard request.state == .granted, request.leftMs > 0, names.allSatisfy(HouseholdRule.isName) else {
            return nil
        }
        let asked = RequestAdd.Request(
            member: request.member,
            items: request.items,
            durationMs: request.durationMs,
            because: request.because
        )
        return try? RequestCheck.checked(asked)
    }

    /// Returns this machine's open requests, for the household.
    ///
    /// Omits the minute to save and finish, and the requests that a rule answers.
    private static func open(of members: Set<String>, _ context: RequestContext, _ book: MoreTimeRequests)
        -> [HouseholdRequest]
    {
        let open = book.requests.values.filter { request in
            request.origin == nil && request.minuteDay == nil && members.contains(request.member)
                && (request.state == .granted || request.state == .waiting && request.grants == nil)
        }
        return open.sorted { $0.number < $1.number }.suffix(HouseholdRequest.max).map { request in
            let until = request.state == .granted ? request.ends : request.expires
            return HouseholdRequest(
                request: request.name,
                askedMs: request.askedMs,
                member: request.member,
                state: request.state,
                items: request.items,
                durationMs: request.durationMs,
                because: request.because,
                by: request.answeredBy,
                leftMs: until?.remainingMs(context.now, bootID: context.bootID) ?? 0
            )
        }
    }

    /// Returns the keys of grants from other machines that a person revoked here before their end.
    private static func revoked(_ context: RequestContext, _ book: MoreTimeRequests) -> [String] {
        let early = book.requests.values.filter { request in
            request.state == .revoked && request.ends?.isOver(context.now, bootID: context.bootID) == false
        }
        return early.compactMap(\.origin?.key).sorted()
    }
}

extension MoreTimeRequest {
    /// The request's name on other machines. It contains the time, because after a reset another request is named R7.
    fileprivate var sharedName: String { "\(name)/\(askedMs)" }
}
