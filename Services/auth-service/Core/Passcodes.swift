import STBus
import STContracts
import STCrypto
import STEngine
import STPlatform

/// Proof of who somebody is: passcodes, and how often a wrong one may be tried.
struct Passcodes: Sendable {
    /// Wrong ones in a row before there is a pause.
    static let triesMax: Int64 = 5
    /// The first pause; each further wrong one doubles it.
    static let pauseMs: Int64 = 60_000
    static let pauseMsMax: Int64 = 3_600_000
    /// Wrong ones that are remembered of each member.
    static let attemptsMax = 50

    let cost: PasswordCost

    // MARK: - Proof

    /// Nil when it is that member's passcode.
    ///
    /// A wrong one is written down, so it must be answered and not thrown: what is thrown is undone.
    func prove(
        _ member: String,
        _ passcode: String?,
        purpose: String,
        _ state: inout AuthState,
        _ context: RequestContext,
        _ change: StoreTransaction,
        field: String = "/passcode"
    ) throws -> Problem? {
        guard var stored = state.passcodes[member] else { throw Self.noPasscode(of: [member]) }
        guard let passcode else {
            throw Problem(
                "auth.proof_needed",
                "This needs the passcode of \(member).",
                field: field,
                details: ["prover": member]
            )
        }
        try PasswordHash.check(passcode, field: field)
        if let restMs = Self.pauseMs(of: stored, change.now) { throw Self.locked(member, restMs) }
        guard PasswordHash.verify(passcode, stored.hash) else {
            return try refuse(member, &stored, purpose, &state, context, change, field: field)
        }
        if stored.wrong > 0 || PasswordHash.needsRehash(stored.hash, cost: cost) {
            if PasswordHash.needsRehash(stored.hash, cost: cost) {
                stored.hash = try PasswordHash.make(passcode, cost: cost)
            }
            stored.wrong = 0
            try save(stored, of: member, &state, change)
        }
        return nil
    }

    /// Wrong: one try less, for whoever it was.
    private func refuse(
        _ member: String,
        _ stored: inout StoredPasscode,
        _ purpose: String,
        _ state: inout AuthState,
        _ context: RequestContext,
        _ change: StoreTransaction,
        field: String
    ) throws -> Problem {
        stored.wrong += 1
        stored.wrongBootMs = change.now.bootMs
        try save(stored, of: member, &state, change)
        try PasscodeStore.insertAttempt(
            member,
            wallMs: change.now.wallMs,
            purpose: purpose,
            principal: context.principal,
            keep: Self.attemptsMax,
            change.database
        )
        let left = max(0, Self.triesMax - stored.wrong)
        let restMs = Self.pauseMs(of: stored, change.now)
        if let restMs {
            try Notices.tell(
                .passcodeLocked,
                member,
                "A wrong passcode of \(member) was given \(stored.wrong) times in a row; "
                    + "none is taken for \(TextFormat.duration(ms: restMs)).",
                &state,
                change
            )
        }
        let rest =
            restMs.map { "None is taken now for \(TextFormat.duration(ms: $0))." }
            ?? "\(left) \(left == 1 ? "try is" : "tries are") left before a pause."
        var details = ["tries_left": String(left)]
        details["retry_after_ms"] = restMs.map { String($0) }
        return Problem(
            "auth.wrong_passcode",
            "That is not the passcode of \(member). \(rest)",
            field: field,
            retryable: true,
            details: details
        )
    }

    /// How long none is taken any more; nil when one is.
    ///
    /// On the boot clock, which nobody can set. After a new start of the computer the pause begins anew.
    static func pauseMs(of stored: StoredPasscode, _ now: TimeReading) -> Int64? {
        guard stored.wrong >= triesMax else { return nil }
        let doublings = min(stored.wrong - triesMax, 30)
        let pause = min(pauseMs << doublings, pauseMsMax)
        let rest = pause - Elapsed.ms(sinceBootMs: stored.wrongBootMs, now)
        return rest > 0 ? rest : nil
    }

    // MARK: - Setting one

    func set(
        _ request: MemberPasscode.Request,
        _ state: inout AuthState,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws -> MemberPasscode.Reply {
        let member = try Household.member(request.member, state)
        try PasswordHash.check(request.passcode, field: "/passcode")
        guard TextLimit.isPlain(request.passcode) else {
            throw Problem(
                "passcode.not_typable",
                "A passcode has no control characters, because nobody could type it.",
                field: "/passcode"
            )
        }
        if request.reset == true { return try reset(member, request.passcode, &state, context, change) }
        if let prover = try prover(for: member, by: request.by, state),
            let refusal = try prove(
                prover,
                request.proof,
                purpose: "set the passcode of \(member.name)",
                &state,
                context,
                change,
                field: "/proof"
            )
        {
            return MemberPasscode.Reply(member: member.name, refusal: refusal)
        }
        let isFirst = state.passcodes[member.name] == nil
        try save(try stored(request.passcode, change), of: member.name, &state, change)
        try Notices.tell(
            isFirst ? .passcodeSet : .passcodeChanged,
            member.name,
            isFirst ? "\(member.name) has a passcode now." : "The passcode of \(member.name) was changed.",
            &state,
            change
        )
        return MemberPasscode.Reply(member: member.name)
    }

    /// Whose passcode is needed to set this member's; nil when it is free.
    private func prover(for member: Member, by: String?, _ state: AuthState) throws -> String? {
        let guardians = Self.guardians(state)
        let isChild = member.role == .child
        if !isChild, state.passcodes[member.name] != nil {
            guard by == nil || by == member.name else {
                throw Problem(
                    "auth.not_a_prover",
                    "The passcode of \(member.name) is changed with \(member.name)'s own.",
                    field: "/by",
                    help: "screentime member passcode \(member.name)"
                )
            }
            return member.name
        }
        // Otherwise a child could add a guardian and be its own.
        guard isChild || (member.role == .guardian && !guardians.isEmpty) else { return nil }
        return try Self.prover(of: guardians, by: by, what: "The passcode of \(member.name)")
    }

    private func reset(
        _ member: Member,
        _ passcode: String,
        _ state: inout AuthState,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws -> MemberPasscode.Reply {
        guard context.principal.uid == 0 else {
            throw Problem(
                "auth.root_only",
                "A forgotten passcode is reset by the administrator of this computer, who is root; "
                    + "everybody is told of it.",
                field: "/reset",
                help: "sudo --preserve-env=SCREENTIME_RUN,XDG_RUNTIME_DIR "
                    + "screentime member passcode \(member.name) --reset"
            )
        }
        try save(try stored(passcode, change), of: member.name, &state, change)
        try Notices.tell(
            .passcodeReset,
            member.name,
            "The passcode of \(member.name) was set anew by the administrator of this computer.",
            &state,
            change
        )
        return MemberPasscode.Reply(member: member.name)
    }

    private func stored(_ passcode: String, _ change: StoreTransaction) throws -> StoredPasscode {
        StoredPasscode(
            hash: try PasswordHash.make(passcode, cost: cost),
            changedWallMs: change.now.wallMs,
            wrong: 0,
            wrongBootMs: 0
        )
    }

    private func save(
        _ stored: StoredPasscode,
        of member: String,
        _ state: inout AuthState,
        _ change: StoreTransaction
    ) throws {
        try PasscodeStore.save(stored, of: member, change.database)
        state.passcodes[member] = stored
    }
}
