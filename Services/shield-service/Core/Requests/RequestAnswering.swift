import STContracts
import STEngine
import STFollowing
import STPlatform

/// Answers of guardians to requests: grants and denials.
enum RequestAnswering {
    /// Returns the proof that an answer needs. Returns `nil` if no proof would help: the reply then gives the reason.
    static func proof(
        _ name: String,
        by: String?,
        passcode: String?,
        purpose: (_ request: String) -> Message,
        book: MoreTimeRequests
    ) -> AuthProve.Request? {
        guard let request = find(name, book), request.state == .waiting, !isOwn(request, by) else {
            return nil
        }
        return AuthProve.Request(
            member: request.member,
            by: by,
            passcode: passcode,
            purpose: purpose(request.name),
            byGuardian: request.isChild ? nil : true
        )
    }

    static func approve(
        _ request: RequestApprove.Request,
        _ context: RequestContext,
        in book: inout MoreTimeRequests
    ) throws -> (request: MoreTimeRequest, refusal: Problem?) {
        let known = try waiting(request.request, context: context, book: book)
        let length = request.durationMs.map(Duration.milliseconds) ?? known.duration
        if request.durationMs != nil {
            try RequestCheck.duration(length)
            guard length <= known.duration else {
                throw Problem(
                    "request.bad_duration",
                    """
                    \(known.name, "name") asks for \
                    \(MessageValue.duration(ms: known.durationMs), "duration"). Grant that or less.
                    """,
                    key: "request.bad_duration.asks-for-grant",
                    field: "/duration_ms"
                )
            }
        }
        let (prover, refusal) = try prover(known, by: request.by, context)
        guard let prover else { return (known, refusal) }
        let granted = book.grant(
            known.number,
            for: length,
            by: prover,
            context.now,
            bootID: context.bootID
        )
        return (granted ?? known, nil)
    }

    static func deny(
        _ request: RequestDeny.Request,
        _ context: RequestContext,
        in book: inout MoreTimeRequests
    )
        throws -> (request: MoreTimeRequest, refusal: Problem?)
    {
        var known = try waiting(request.request, context: context, book: book)
        let words = try RequestCheck.words(request.because, "/because")
        let (prover, refusal) = try prover(known, by: request.by, context)
        guard let prover else { return (known, refusal) }
        known.state = .denied
        known.answeredMs = context.now.wallMs
        known.answeredBy = prover
        known.answer = words.map { Message(verbatim: $0) }
        book.requests[known.number] = known
        return (known, nil)
    }

    static func checked(_ asked: RequestGrant.Request) throws -> RequestAdd.Request {
        let request = RequestAdd.Request(
            member: asked.member,
            items: asked.items,
            durationMs: asked.durationMs
        )
        return try RequestCheck.checked(request)
    }

    /// Grants time that a guardian offers without a request.
    static func grant(
        _ asked: RequestGrant.Request,
        _ context: RequestContext,
        in book: inout MoreTimeRequests
    )
        throws -> RequestGrant.Reply
    {
        let checked = try checked(asked)
        let member = try Household.member(asked.member, in: try context.prepared.reply(MemberList.self))
        guard let proof = try context.prepared.reply(AuthProve.self) else { throw notAsked }
        guard let prover = proof.by else { return RequestGrant.Reply(refusal: proof.refusal) }
        book.lastNumber += 1
        book.requests[book.lastNumber] = MoreTimeRequest(
            number: book.lastNumber,
            member: member.name,
            isChild: member.role == .child,
            items: checked.items,
            duration: .milliseconds(checked.durationMs),
            because: nil,
            shield: nil,
            asked: context.now.wall
        )
        let granted = book.grant(
            book.lastNumber,
            for: .milliseconds(checked.durationMs),
            by: prover,
            context.now,
            bootID: context.bootID
        )
        return RequestGrant.Reply(request: granted?.view)
    }

    private static let notAsked = Problem(
        "unavailable",
        "The service did not send the required request to auth-service. Try again.",
        key: "unavailable.auth-service-was",
        retryable: true
    )

    /// Withdraws a request or revokes a grant. This needs no proof, because it grants no time.
    static func revoke(_ name: String, _ context: RequestContext, in book: inout MoreTimeRequests) throws
        -> MoreTimeRequest
    {
        let known = try existing(name, context: context, book: book)
        switch known.state {
        case .waiting: return book.close(known.number, as: .withdrawn, context.now) ?? known
        case .granted: return book.close(known.number, as: .revoked, context.now) ?? known
        case .denied, .revoked, .ended, .withdrawn, .expired, .unknown: throw alreadyClosed(known)
        }
    }

    // MARK: - Finding

    private static func existing(_ name: String, context: RequestContext, book: MoreTimeRequests)
        throws(Problem) -> MoreTimeRequest
    {
        if let found = find(name, book) {
            try context.check(isOf: found.member)
            return found
        }
        let shown = name.prefix(20)
        throw Problem(
            "request.not_found",
            text: book.requests.keys.max().map { "R\($0)" }.map {
                Message(
                    "request.not_found.latest-is",
                    """
                    There is no request “\(shown, "name")”. Requests are called R1, R2 and so on. The latest \
                    is \($0, "latest").
                    """
                )
            }
                ?? Message(
                    "request.not_found.no-request-yet",
                    "There is no request “\(shown, "name")”. Requests are called R1, R2 and so on."
                ),
            field: "/request",
            help: "screentime request list"
        )
    }

    static func waiting(_ name: String, context: RequestContext, book: MoreTimeRequests) throws(Problem)
        -> MoreTimeRequest
    {
        let known = try existing(name, context: context, book: book)
        guard known.state == .waiting else { throw alreadyClosed(known) }
        return known
    }

    private static func find(_ name: String, _ book: MoreTimeRequests) -> MoreTimeRequest? {
        MoreTimeRequest.number(of: name).flatMap { book.requests[$0] }
    }

    private static func alreadyClosed(_ request: MoreTimeRequest) -> Problem {
        Problem(
            "request.not_waiting",
            "\(request.name, "name") is no longer waiting for an answer: it is \(request.state.label, "state").",
            field: "/request",
            help: "screentime request show \(request.name)"
        )
    }

    // MARK: - Proof

    /// Returns true if an adult would answer their own request and bypass their own rule.
    private static func isOwn(_ request: MoreTimeRequest, _ by: String?) -> Bool {
        !request.isChild && (by == nil ? request.grants != nil : by == request.member)
    }

    private static func prover(_ request: MoreTimeRequest, by: String?, _ context: RequestContext) throws -> (
        prover: String?, refusal: Problem?
    ) {
        guard !isOwn(request, by) else { throw ownRequest(request) }
        guard let proof = try context.prepared.reply(AuthProve.self) else { throw notAsked }
        if let refusal = proof.refusal { return (nil, refusal) }
        guard let prover = proof.by, prover != request.member else { throw ownRequest(request) }
        return (prover, nil)
    }

    private static func ownRequest(_ request: MoreTimeRequest) -> Problem {
        let text =
            request.grants == nil
            ? Message(
                "request.own_rule.a-guardian-answers",
                """
                \(request.name, "name") is \(request.member, "member")'s own request, so a guardian has to \
                answer it.
                """
            )
            : Message(
                "request.own_rule",
                """
                \(request.member, "member")'s rule grants \(request.name, "name") automatically after its \
                delay. Only a guardian can answer sooner. Name one with --by.
                """
            )
        return Problem(
            "request.own_rule",
            text: text,
            field: "/by",
            help: "screentime request show \(request.name)"
        )
    }
}
