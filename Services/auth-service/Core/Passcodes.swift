import STBus
import STContracts
import STCrypto
import STEngine
import STPlatform

/// Verifies passcodes, which prove who a person is, and limits wrong attempts.
struct Passcodes: Sendable {
    /// The number of consecutive wrong attempts before a pause.
    static let triesMax: Int64 = 5
    /// The length of the first pause. Each further wrong attempt doubles it.
    static let firstPause = Duration.seconds(60)
    static let pauseMax = Duration.seconds(3_600)
    /// The number of wrong attempts that are stored for each member.
    static let attemptsMax = 50

    private static let purposeBytesMax = 200

    let cost: PasswordCost

    // MARK: - Proof

    /// Checks a member's passcode. Returns `nil` if it is right.
    ///
    /// A refusal is returned and not thrown, because the wrong attempt must be stored and a throw would roll it back.
    func prove(
        _ member: String,
        passcode: String?,
        purpose: Message,
        state: inout AuthState,
        context: RequestContext,
        change: StoreTransaction,
        field: String = "/passcode"
    ) throws -> Problem? {
        guard var stored = state.passcodes[member] else { throw Self.noPasscode(of: [member]) }
        guard let passcode else {
            throw Problem(
                "auth.proof_needed",
                "This action requires the passcode of \(member, "member").",
                field: field,
                details: ["prover": member]
            )
        }
        try PasswordHash.check(passcode, field: field)
        if let rest = Self.pause(of: stored, change.now) { throw Self.locked(member, rest) }
        guard PasswordHash.verify(passcode, stored.hash) else {
            return try refuse(
                member,
                stored: &stored,
                purpose: purpose,
                state: &state,
                context: context,
                change: change,
                field: field
            )
        }
        if stored.wrong > 0 || PasswordHash.needsRehash(stored.hash, cost: cost) {
            if PasswordHash.needsRehash(stored.hash, cost: cost) {
                stored.hash = try PasswordHash.make(passcode, cost: cost)
            }
            stored.wrong = 0
            try save(stored, of: member, state: &state, change: change)
        }
        return nil
    }

    /// Records a wrong attempt of the member, and returns the refusal.
    private func refuse(
        _ member: String,
        stored: inout StoredPasscode,
        purpose: Message,
        state: inout AuthState,
        context: RequestContext,
        change: StoreTransaction,
        field: String
    ) throws -> Problem {
        stored.wrong += 1
        stored.wrongBoot = change.now.boot
        try save(stored, of: member, state: &state, change: change)
        try PasscodeTable.insertAttempt(
            member,
            wall: change.now.wall,
            purpose: purpose,
            principal: context.principal,
            keep: Self.attemptsMax,
            change.database
        )
        let left = max(0, Self.triesMax - stored.wrong)
        let pause = Self.pause(of: stored, change.now)
        if let pause {
            try Notices.publish(
                .passcodeLocked,
                member: member,
                text: Message(
                    "member-notice.passcode-is-locked",
                    count: Int(stored.wrong),
                    one: """
                        After \(stored.wrong, "count") wrong passcode, the passcode of \(member, "member") \
                        is locked for \(MessageValue.duration(ms: pause.ms), "pause").
                        """,
                    other: """
                        After \(stored.wrong, "count") wrong passcodes in a row, the passcode of \
                        \(member, "member") is locked for \(MessageValue.duration(ms: pause.ms), "pause").
                        """
                ),
                state: &state,
                change: change
            )
        }
        let rest =
            pause.map {
                Message("auth.try-again-in", "Try again in \(MessageValue.duration(ms: $0.ms), "pause").")
            }
            ?? Message(
                "auth.tries-are-left",
                count: Int(left),
                one: "\(left, "count") try is left before a pause.",
                other: "\(left, "count") tries are left before a pause."
            )
        var details = ["tries_left": String(left)]
        details["retry_after_ms"] = pause.map { String($0.ms) }
        return Problem(
            "auth.wrong_passcode",
            "That is not the passcode of \(member, "member"). \(rest, "rest")",
            field: field,
            retryable: true,
            details: details
        )
    }

    /// Returns the time for which no passcode is accepted. Returns `nil` if there is no pause.
    ///
    /// The pause uses the boot clock, which cannot be set. After a restart it begins again.
    static func pause(of stored: StoredPasscode, _ now: TimeReading) -> Duration? {
        guard stored.wrong >= triesMax else { return nil }
        let doublings = min(stored.wrong - triesMax, 30)
        let pause = min(firstPause * (1 << doublings), pauseMax)
        let hasRestarted = now.boot < stored.wrongBoot
        let rest = pause - (hasRestarted ? .milliseconds(now.bootMs) : now.boot - stored.wrongBoot)
        return rest > .zero ? rest : nil
    }

    /// Checks the passcode of a guardian for a decision that only a guardian can make. Returns `nil` if it is right.
    func proveGuardian(
        by: String?,
        passcode: String?,
        deciding what: Message,
        purpose: Message,
        state: inout AuthState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> Problem? {
        let prover = try Self.prover(of: Self.guardians(state), by: by, what: what)
        return try prove(
            prover,
            passcode: passcode,
            purpose: purpose,
            state: &state,
            context: context,
            change: change
        )
    }

    /// Returns the message to store. Only messages for purposes keep their key, because another program could send any key.
    private static func validated(_ purpose: Message) -> Message {
        let values = purpose.values.values
        guard purpose.key.hasPrefix("purpose."), values.count <= 3,
            values.allSatisfy({ $0.description.isPlain && $0.description.utf8.count <= purposeBytesMax })
        else { return Message(verbatim: purpose.english) }
        return purpose
    }

    /// Proves to another service that a person may decide for a member. The passcodes stay in auth-service.
    func prove(
        _ request: AuthProve.Request,
        state: inout AuthState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> AuthProve.Reply {
        let member = try HouseholdMembers.member(request.member, state)
        guard !request.purpose.english.isEmpty, request.purpose.english.utf8.count <= Self.purposeBytesMax,
            request.purpose.english.isPlain
        else {
            throw Problem(
                "auth.bad_purpose",
                """
                The purpose of a proof must be 1 to \(Self.purposeBytesMax, "bytes") bytes long and must not \
                contain control characters.
                """,
                field: "/purpose"
            )
        }
        if request.forChild == true, member.role != .child || Self.guardians(state).isEmpty {
            return AuthProve.Reply()
        }
        guard let prover = try prover(for: member, request, state) else {
            return AuthProve.Reply(by: member.name)
        }
        let refusal = try prove(
            prover,
            passcode: request.passcode,
            purpose: Self.validated(request.purpose),
            state: &state,
            context: context,
            change: change
        )
        return AuthProve.Reply(by: refusal == nil ? prover : nil, refusal: refusal)
    }

    /// Returns the member whose passcode is required. Returns `nil` for a member without a passcode who decides for themself.
    private func prover(for member: Member, _ request: AuthProve.Request, _ state: AuthState) throws
        -> String?
    {
        let isOwn = request.by == nil || request.by == member.name
        if member.role != .child, isOwn, request.byGuardian != true {
            return state.passcodes[member.name] == nil ? nil : member.name
        }
        return try Self.prover(
            of: Self.guardians(state).filter { $0 != member.name },
            by: request.by,
            what: Message("auth.decision-for", "Deciding for \(member.name, "member")")
        )
    }

    // MARK: - Setting a passcode

    func set(
        _ request: MemberPasscode.Request,
        state: inout AuthState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> MemberPasscode.Reply {
        let member = try HouseholdMembers.member(request.member, state)
        try PasswordHash.check(request.passcode, field: "/passcode")
        guard request.passcode.isPlain else {
            throw Problem(
                "passcode.not_typable",
                "A passcode must not contain control characters, because they cannot be typed.",
                field: "/passcode"
            )
        }
        if request.reset == true {
            return try reset(
                member,
                passcode: request.passcode,
                state: &state,
                context: context,
                change: change
            )
        }
        if let prover = try prover(for: member, by: request.by, state),
            let refusal = try prove(
                prover,
                passcode: request.proof,
                purpose: Message("purpose.set-passcode", "set the passcode of \(member.name, "member")"),
                state: &state,
                context: context,
                change: change,
                field: "/proof"
            )
        {
            return MemberPasscode.Reply(member: member.name, refusal: refusal)
        }
        let isFirst = state.passcodes[member.name] == nil
        try save(try stored(request.passcode, change), of: member.name, state: &state, change: change)
        try Notices.publish(
            isFirst ? .passcodeSet : .passcodeChanged,
            member: member.name,
            text: isFirst
                ? Message("member-notice.has-a-passcode", "\(member.name, "member") has a passcode now.")
                : Message(
                    "member-notice.passcode-was-changed",
                    "The passcode of \(member.name, "member") was changed."
                ),
            state: &state,
            change: change
        )
        return MemberPasscode.Reply(member: member.name)
    }

    /// Returns the member whose passcode is required to set this member's passcode, or `nil`.
    private func prover(for member: Member, by: String?, _ state: AuthState) throws -> String? {
        let guardians = Self.guardians(state)
        let isChild = member.role == .child
        if !isChild, state.passcodes[member.name] != nil {
            guard by == nil || by == member.name else {
                throw Problem(
                    "auth.not_a_prover",
                    """
                    Changing the passcode of \(member.name, "name") requires the current passcode of \
                    \(member.name, "name").
                    """,
                    field: "/by",
                    help: "screentime member passcode \(member.name)"
                )
            }
            return member.name
        }
        // Otherwise a child could add a guardian and answer in the guardian's place.
        guard isChild || (member.role == .guardian && !guardians.isEmpty) else { return nil }
        return try Self.prover(
            of: guardians,
            by: by,
            what: Message("auth.decision-passcode", "Setting the passcode of \(member.name, "member")")
        )
    }

    private func reset(
        _ member: Member,
        passcode: String,
        state: inout AuthState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> MemberPasscode.Reply {
        guard context.principal.uid == 0 else {
            throw Problem(
                "auth.root_only",
                """
                Only the administrator (root) of this computer can reset a forgotten passcode. Every member \
                is notified of the reset.
                """,
                field: "/reset",
                help: "sudo --preserve-env=SCREENTIME_RUN,XDG_RUNTIME_DIR "
                    + "screentime member passcode \(member.name) --reset"
            )
        }
        try save(try stored(passcode, change), of: member.name, state: &state, change: change)
        try Notices.publish(
            .passcodeReset,
            member: member.name,
            text: Message(
                "member-notice.passcode-was-reset",
                "The administrator of this computer reset the passcode of \(member.name, "member")."
            ),
            state: &state,
            change: change
        )
        return MemberPasscode.Reply(member: member.name)
    }

    private func stored(_ passcode: String, _ change: StoreTransaction) throws -> StoredPasscode {
        StoredPasscode(
            hash: try PasswordHash.make(passcode, cost: cost),
            changed: change.now.wall,
            wrong: 0,
            wrongBoot: BootTime(ms: 0)
        )
    }

    private func save(
        _ stored: StoredPasscode,
        of member: String,
        state: inout AuthState,
        change: StoreTransaction
    ) throws {
        try PasscodeTable.save(stored, of: member, change.database)
        state.passcodes[member] = stored
    }

    // MARK: - Guardians

    /// Returns the guardians who have a passcode.
    static func guardians(_ state: AuthState) -> [String] {
        state.members.filter { $0.role == .guardian && state.passcodes[$0.name] != nil }.map(\.name)
    }

    /// Returns the guardian whose passcode is required: the named one, or the only one.
    static func prover(of guardians: [String], by: String?, what: Message) throws -> String {
        guard !guardians.isEmpty else { throw noGuardian() }
        let list = guardians.joined(separator: ", ")
        guard let by else {
            if guardians.count == 1 { return guardians[0] }
            throw Problem(
                "auth.who_proves",
                "\(what, "decision") requires a guardian. Specify which guardian answers: \(list, "guardians").",
                key: "auth.who_proves.is-a-guardians",
                field: "/by",
                // A name never contains a slash.
                details: ["provers": guardians.joined(separator: "/")]
            )
        }
        guard guardians.contains(by) else {
            throw Problem(
                "auth.not_a_prover",
                """
                \(what, "decision") requires a guardian with a passcode, and \(TextLimit.shown(by), "name") \
                is not one. Guardians with a passcode: \(list, "guardians").
                """,
                key: "auth.not_a_prover.is-a-guardians",
                field: "/by"
            )
        }
        return by
    }

    static func noGuardian() -> Problem {
        Problem(
            "auth.no_method",
            """
            Only a guardian with a passcode can answer for a child, and this household has none. Add a \
            guardian and set a passcode first.
            """,
            help: "screentime member add NAME --role guardian && screentime member passcode NAME"
        )
    }

    static func noPasscode(of members: [String]) -> Problem {
        let name = members.first ?? "NAME"
        return Problem(
            "auth.no_method",
            "\(name, "name") has no passcode, so Screen Time cannot verify who is answering. Set a passcode first.",
            key: "auth.no_method.has-no-passcode",
            help: "screentime member passcode \(name)"
        )
    }

    static func locked(_ member: String, _ rest: Duration) -> Problem {
        Problem(
            "auth.locked",
            """
            The passcode of \(member, "member") was entered incorrectly too often. Try again in \
            \(MessageValue.duration(ms: rest.ms), "rest").
            """,
            retryable: true,
            help: "screentime member show \(member)",
            details: ["retry_after_ms": String(rest.ms)]
        )
    }
}

/// Notices about passcodes, which all members see.
enum Notices {
    private static let keptMax = 100

    /// Returns the text of the event for the history.
    private static func text(_ kind: NoticeKind) -> Message {
        switch kind {
        case .passcodeSet: Message("history-value.passcode-set", "set")
        case .passcodeChanged: Message("history-value.passcode-changed", "changed")
        case .passcodeReset: Message("history-value.passcode-reset", "reset")
        case .passcodeLocked: Message("history-value.passcode-locked", "locked")
        case .unknown: Message("history-value.unknown", "unknown")
        }
    }

    static func publish(
        _ kind: NoticeKind,
        member: String,
        text: Message,
        state: inout AuthState,
        change: StoreTransaction
    ) throws {
        let notice = AuthorizationNotice(
            id: Identifier.make(wallMs: change.now.wallMs),
            at: RFC3339.text(wallMs: change.now.wallMs),
            kind: kind,
            member: member,
            text: text
        )
        try NoticeTable.insert(notice, keep: keptMax, change.database)
        try change.recordHistory(
            HistoryLine(
                .passcode,
                kind == .passcodeReset ? .loosened : nil,
                member: member,
                after: Self.text(kind)
            )
        )
        // A snapshot contains only the latest notice of each kind, so that it does not grow without bound.
        try change.emit(AuthorizationNoticed.self, subject: "notice/\(member)/\(kind.rawValue)", notice)
        state.notices.append(notice)
        state.notices.removeFirst(max(0, state.notices.count - keptMax))
    }
}
