import STContracts
package import STCrypto
import STEngine
import STFollowing
package import STPlatform

/// One-time codes from a guardian's phone. The phone needs neither a network nor an account for them.
enum OfflineCodes {
    static let issuer = "Screen Time"
    static let answeredBy = "code"
    /// Upper bound on the time that one code grants, because a code does not identify the request.
    static let grantMax = Duration.seconds(3_600)

    // MARK: - A code

    /// Answers a request with a code. Returns the refusal of a wrong code: throwing would roll back the attempt's record.
    static func answer(
        _ asked: RequestCode.Request,
        context: RequestContext,
        change: StoreTransaction,
        in book: inout MoreTimeRequests
    ) throws -> (request: MoreTimeRequest, refusal: Problem?) {
        let known = try RequestAnswering.waiting(asked.request, context: context, book: book)
        // Apps show a code in two groups.
        let code = asked.code.filter { $0 != " " }
        guard code.utf8.count == OneTimeCode.digits, code.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw Problem(
                "request.bad_code",
                "A code must have \(OneTimeCode.digits, "digits") digits.",
                field: "/code"
            )
        }
        guard !known.items.isEmpty else {
            throw Problem(
                "request.code_not_for_everything",
                """
                A code cannot grant more time for everything. Request time for an app, a category or a site, \
                or have a guardian answer \(known.name, "name").
                """,
                field: "/request",
                help: "screentime request approve \(known.name)"
            )
        }
        guard var key = book.keys[known.member] else {
            throw Problem(
                "request.no_codes",
                """
                No phone is set up to make codes for \(known.member, "member") yet. A guardian has to set \
                one up first.
                """,
                help: known.isChild ? "screentime request setup \(known.member)" : nil
            )
        }
        if let rest = key.pause(context.now, bootID: context.bootID) {
            throw Problem(
                "auth.locked",
                """
                Too many wrong codes were entered for \(known.member, "member"). Try again in \
                \(MessageValue.duration(ms: rest.ms), "rest").
                """,
                key: "auth.locked.codes-for-were",
                retryable: true,
                details: ["retry_after_ms": String(rest.ms)]
            )
        }
        let verdict = key.verdict(code, context.now, bootID: context.bootID)
        if case .valid(let step) = verdict {
            key.lastStep = step
            key.wrongAttempts = 0
            book.keys[known.member] = key
            return (grant(known, context, in: &book), nil)
        }
        key.wrongAttempts += 1
        key.wrongBoot = context.now.boot
        key.wrongBootID = context.bootID
        book.keys[known.member] = key
        try RequestTable.insertAttempt(
            known,
            wall: context.now.wall,
            principal: context.principal,
            database: change.database
        )
        return (known, refusal(verdict, key: key, request: known, context: context))
    }

    private static func grant(
        _ known: MoreTimeRequest,
        _ context: RequestContext,
        in book: inout MoreTimeRequests
    )
        -> MoreTimeRequest
    {
        if known.duration > grantMax {
            book.requests[known.number]?.answer = Message(
                "request.code-grants-at-most",
                "A code grants at most \(MessageValue.duration(ms: grantMax.ms), "most")."
            )
        }
        let granted = book.grant(
            known.number,
            for: min(known.duration, grantMax),
            by: answeredBy,
            context.now,
            bootID: context.bootID
        )
        return granted ?? known
    }

    private static func refusal(
        _ verdict: CodeKey.Verdict,
        key: CodeKey,
        request: MoreTimeRequest,
        context: RequestContext
    ) -> Problem {
        let pause = key.pause(context.now, bootID: context.bootID)
        let left = max(0, CodeKey.triesMax - key.wrongAttempts)
        let rest =
            if let pause {
                Message(
                    "request.code-again-later",
                    "Try again in \(MessageValue.duration(ms: pause.ms), "time")."
                )
            } else if left == 1 {
                Message("request.code-last-try", "1 try is left before a pause.")
            } else {
                Message("request.code-tries-left", "\(left, "count") tries are left before a pause.")
            }
        var details = ["tries_left": String(left)]
        details["retry_after_ms"] = pause.map { String($0.ms) }
        let why =
            switch verdict {
            case .used:
                Message(
                    "request.code_used",
                    "That code has already been used. Each code works only once. Wait for the next one."
                )
            case .wrongAttempts, .valid:
                Message(
                    "request.wrong_code",
                    "That code is not valid for \(request.member, "member") on this computer now."
                )
            }
        let ahead = key.clock.wall(context.now, bootID: context.bootID) - context.now.wall
        var text = Message("request.code-refused", "\(why, "why") \(rest, "rest")")
        if ahead > .milliseconds(2 * OneTimeCode.stepMs) {
            let clock = Message(
                "request.code-clock",
                """
                This computer's clock was once \(MessageValue.duration(ms: ahead.ms), "time") ahead, and \
                codes are still checked against that time. To set up codes again, run `screentime request \
                setup \(request.member, "member")`.
                """
            )
            text = Message("request.code-refused-clock", "\(text, "refusal") \(clock, "clock")")
        }
        return Problem(
            verdict == .used ? "request.code_used" : "request.wrong_code",
            text: text,
            field: "/code",
            retryable: true,
            details: details
        )
    }

    // MARK: - Setting up

    static func proof(_ asked: RequestCodeSetup.Request, _ answers: PreparedReplies) throws
        -> AuthProve.Request?
    {
        let member = try Household.member(asked.member, in: try answers.reply(MemberList.self))
        guard member.role == .child else {
            throw Problem(
                "request.codes_for_child",
                "Only a child can use the codes from a guardian's phone. \(member.name, "name") is not a child.",
                field: "/member",
                help: "screentime request edit --help"
            )
        }
        return AuthProve.Request(
            member: member.name,
            by: asked.by,
            passcode: asked.passcode,
            purpose: Message("purpose.set-up-codes", "set up codes for \(member.name, "member")")
        )
    }

    static func setUp(
        _ asked: RequestCodeSetup.Request,
        _ context: RequestContext,
        in book: inout MoreTimeRequests
    ) throws -> RequestCodeSetup.Reply {
        guard let proof = try context.prepared.reply(AuthProve.self),
            let household = try context.prepared.reply(MemberList.self)
        else {
            throw Problem(
                "unavailable",
                "The service did not send the required request to auth-service. Try again.",
                key: "unavailable.auth-service-was",
                retryable: true
            )
        }
        if let refusal = proof.refusal { return RequestCodeSetup.Reply(refusal: refusal) }
        // A new secret gets a new clock: the times that this computer showed before do not matter to it.
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

/// The secret that a guardian's phone and this computer share for one child, and the state of its codes.
package struct CodeKey: Sendable, Equatable {
    package var secret: Secret
    /// The clock for checking codes.
    package var clock: CodeClock
    /// The half minute of the last accepted code. Codes of this or an earlier half minute are rejected.
    package var lastStep: Int64 = -1
    /// Number of wrong codes since the last accepted one, and the boot time of the latest wrong code.
    package var wrongAttempts: Int64 = 0
    package var wrongBoot = BootTime(ms: 0)
    package var wrongBootID = ""

    package init(_ secret: Secret, _ clock: CodeClock) {
        self.secret = secret
        self.clock = clock
    }

    /// Wrong codes in a row after which codes are refused. Each further wrong code doubles the pause, as with passcodes.
    package static let triesMax: Int64 = 5
    package static let firstPause = Duration.seconds(60)
    package static let pauseMax = Duration.seconds(3_600)

    /// Returns the time during which codes are still refused. Returns `nil` if codes are accepted.
    ///
    /// The pause starts again when the computer restarts.
    package func pause(_ now: TimeReading, bootID: String) -> Duration? {
        guard wrongAttempts >= Self.triesMax else { return nil }
        let doublings = min(wrongAttempts - Self.triesMax, 30)
        let pause = min(Self.firstPause * (1 << doublings), Self.pauseMax)
        let elapsed =
            bootID == wrongBootID ? max(.zero, now.boot - wrongBoot) : .milliseconds(now.bootMs)
        return pause > elapsed ? pause - elapsed : nil
    }

    /// The result of checking a code at a moment of the `CodeClock`.
    package enum Verdict: Sendable, Equatable {
        case valid(step: Int64)
        case used
        case wrongAttempts
    }

    package func verdict(_ code: String, _ reading: TimeReading, bootID: String) -> Verdict {
        let now = OneTimeCode.step(ofWallMs: clock.wall(reading, bootID: bootID).ms)
        guard let step = OneTimeCode.step(of: code, secret, around: now) else { return .wrongAttempts }
        return step > lastStep ? .valid(step: step) : .used
    }
}

/// The clock for checking codes. It follows the wall clock forward and never goes back.
///
/// Within a boot it continues with boot time, which cannot be set. Its last time is saved, so that neither a clock that was set
/// back nor a restart of the machine makes an old code valid again.
package struct CodeClock: WireBody, Codable, Equatable {
    package var highMs: Int64
    package var bootMs: Int64
    package var bootID: String

    package init(_ now: TimeReading, bootID: String) {
        highMs = now.wallMs
        bootMs = now.bootMs
        self.bootID = bootID
    }

    package func wall(_ now: TimeReading, bootID: String) -> WallTime {
        let elapsed = bootID == self.bootID ? max(.zero, now.boot - BootTime(ms: bootMs)) : .zero
        return max(now.wall, WallTime(ms: highMs) + elapsed)
    }

    /// The interval between saves. A restart of the machine loses at most this much time.
    package static let saveInterval = Duration.seconds(3_600)

    /// Returns the moment of the next save.
    package func due(bootID: String) -> Deadlines {
        Deadlines(bootMs: bootID == self.bootID ? bootMs + Self.saveInterval.ms : 0)
    }

    package mutating func move(_ now: TimeReading, bootID: String) {
        highMs = wall(now, bootID: bootID).ms
        bootMs = now.bootMs
        self.bootID = bootID
    }
}
