import STContracts
import STCrypto
import STEngine
import STPlatform

/// Codes from a guardian's phone, which needs no network and no account for them.
enum OfflineCodes {
    static let issuer = "Screen Time"
    static let answeredBy = "code"
    /// A code says nothing of what it was read out for, so it is worth no more than this.
    static let mostMs: Int64 = 3_600_000

    // MARK: - A code

    /// A wrong one is written down, so it must be answered and not thrown: what is thrown is undone.
    static func answer(
        _ asked: RequestCode.Request,
        _ context: RequestContext,
        _ change: StoreTransaction,
        in book: inout RequestBook
    ) throws -> (request: MoreTime, refusal: Problem?) {
        let known = try RequestAnswering.waiting(asked.request, book)
        // As apps show it: in two groups.
        let code = asked.code.filter { $0 != " " }
        guard code.utf8.count == OneTimeCode.digits, code.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw Problem(
                "request.bad_code",
                "A code has \(OneTimeCode.digits) digits.",
                field: "/code"
            )
        }
        guard !known.items.isEmpty else {
            throw Problem(
                "request.code_not_for_everything",
                "A code is not good for everything at once. Ask for an app, a category or a site, or let a guardian "
                    + "answer \(known.name).",
                field: "/request",
                help: "screentime request approve \(known.name)"
            )
        }
        guard var key = book.keys[known.member] else {
            throw Problem(
                "request.no_codes",
                "No phone makes codes for \(known.member) yet. A guardian sets that up first.",
                help: known.isChild ? "screentime request setup \(known.member)" : nil
            )
        }
        if let restMs = key.pauseMs(context.now, bootID: context.bootID) {
            throw Problem(
                "auth.locked",
                "Codes for \(known.member) were wrong too often. None is taken for another "
                    + "\(TextFormat.duration(ms: restMs)).",
                retryable: true,
                details: ["retry_after_ms": String(restMs)]
            )
        }
        let verdict = key.verdict(code, context.now, bootID: context.bootID)
        if case .good(let step) = verdict {
            key.lastStep = step
            key.wrong = 0
            book.keys[known.member] = key
            return (grant(known, context, in: &book), nil)
        }
        key.wrong += 1
        key.wrongBootMs = context.now.bootMs
        key.wrongBootID = context.bootID
        book.keys[known.member] = key
        try RequestTable.insertAttempt(
            known,
            wallMs: context.now.wallMs,
            context.principal,
            change.database
        )
        return (known, refusal(verdict, key, known, context))
    }

    private static func grant(_ known: MoreTime, _ context: RequestContext, in book: inout RequestBook)
        -> MoreTime
    {
        if known.durationMs > mostMs {
            book.requests[known.number]?.answer =
                "A code is good for \(TextFormat.duration(ms: mostMs)) at most."
        }
        let granted = book.grant(
            known.number,
            forMs: min(known.durationMs, mostMs),
            by: answeredBy,
            context.now,
            bootID: context.bootID
        )
        return granted ?? known
    }

    private static func refusal(
        _ verdict: CodeKey.Verdict,
        _ key: CodeKey,
        _ request: MoreTime,
        _ context: RequestContext
    ) -> Problem {
        let restMs = key.pauseMs(context.now, bootID: context.bootID)
        let left = max(0, CodeKey.triesMax - key.wrong)
        let rest =
            restMs.map { "None is taken now for \(TextFormat.duration(ms: $0))." }
            ?? "\(left) \(left == 1 ? "try is" : "tries are") left before a pause."
        var details = ["tries_left": String(left)]
        details["retry_after_ms"] = restMs.map { String($0) }
        let why =
            switch verdict {
            case .used: "That code was used already; each is good once. Wait for the next one."
            case .wrong, .good: "That is not a code for \(request.member) on this computer at this moment."
            }
        let aheadMs = key.clock.wallMs(context.now, bootID: context.bootID) - context.now.wallMs
        let clock =
            aheadMs > 2 * OneTimeCode.stepMs
            ? " The clock of this computer was \(TextFormat.duration(ms: aheadMs)) further before, and codes go by "
                + "that; `screentime request setup \(request.member)` begins anew." : ""
        return Problem(
            verdict == .used ? "request.code_used" : "request.wrong_code",
            "\(why) \(rest)\(clock)",
            field: "/code",
            retryable: true,
            details: details
        )
    }

    // MARK: - Setting up

    static func proof(_ asked: RequestCodeSetup.Request, _ answers: PreparedAnswers) throws
        -> AuthProve.Request?
    {
        let member = try RequestPeople.member(asked.member, try answers.of(MemberList.self))
        guard member.role == .child else {
            throw Problem(
                "request.codes_for_child",
                "Codes are for a child, whose guardian has them on a phone; \(member.name) is none.",
                field: "/member",
                help: "screentime request edit --help"
            )
        }
        return AuthProve.Request(
            member: member.name,
            by: asked.by,
            passcode: asked.passcode,
            purpose: "set up codes for \(member.name)"
        )
    }

    static func setUp(
        _ asked: RequestCodeSetup.Request,
        _ context: RequestContext,
        in book: inout RequestBook
    ) throws -> RequestCodeSetup.Reply {
        guard let proof = try context.prepared.of(AuthProve.self),
            let household = try context.prepared.of(MemberList.self)
        else {
            throw Problem("unavailable", "auth-service was not asked; try again.", retryable: true)
        }
        if let refusal = proof.refusal { return RequestCodeSetup.Reply(refusal: refusal) }
        // A clock of its own: what this computer showed before does not matter to a new secret.
        let key = CodeKey(
            try OneTimeCode.newSecret(),
            CodeClock(context.now, bootID: context.bootID)
        )
        book.keys[asked.member] = key
        return RequestCodeSetup.Reply(
            uri: OneTimeCode.uri(
                key.secret,
                account: "\(asked.member)@\(household.device.name)",
                issuer: issuer
            ),
            secret: OneTimeCode.text(key.secret)
        )
    }
}
