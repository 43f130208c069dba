import STContracts
import STEngine
import STPlatform

/// The members of the household.
enum HouseholdMembers {
    /// A school has every pupil who logged in on one of its computers.
    private static let membersMax = 1_000
    private static let nameBytesMax = 64

    static func list(_ state: AuthState) throws -> MemberList.Reply {
        guard let device = state.device else {
            throw Problem(
                "unavailable",
                "auth-service has not recorded this computer yet. Try again in a moment.",
                key: "unavailable.this-computer-is",
                retryable: true
            )
        }
        return MemberList.Reply(
            device: device,
            members: state.members,
            provers: Passcodes.guardians(state)
        )
    }

    static func add(
        _ member: Member,
        to state: inout AuthState,
        _ change: StoreTransaction
    ) throws -> MemberAdd.Reply {
        _ = try member.role.required("/role")
        try checkName(member.name)
        if let known = state.members.first(where: { $0.name == member.name }) {
            guard known.role == member.role else {
                throw Problem(
                    "member.exists",
                    "\(member.name, "name") is already a member, with the role \(known.role.label, "role").",
                    field: "/name",
                    // This change would leave the children without their guardian.
                    help: known.role == .guardian
                        ? "screentime member list"
                        : "screentime member set \(member.name) --role \(member.role.rawValue)"
                )
            }
            return MemberAdd.Reply(member: known, added: false)
        }
        guard state.members.count < membersMax else {
            throw Problem("member.too_many", "A household can have at most \(membersMax, "most") members.")
        }
        try save(member, state: &state, change: change)
        try change.recordHistory(HistoryLine(.member, about: member.name, after: member.role.label))
        return MemberAdd.Reply(member: member, added: true)
    }

    // MARK: - Changing members

    static func set(
        _ request: MemberSet.Request,
        passcodes: Passcodes,
        accounts: () -> [ComputerAccount],
        state: inout AuthState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> MemberSet.Reply {
        let known = try member(request.member, state)
        var wanted = known
        if let role = request.role { wanted.role = try role.required("/role") }
        if let account = request.account {
            wanted.account = account.isEmpty ? nil : account
            if wanted.account != known.account {
                try checkAccount(account, of: known, state: state, accounts: accounts)
            }
        }
        guard wanted != known else { return MemberSet.Reply(member: known) }
        let by = try prover(of: known, wanted, by: request.proof?.by, state)
        if let by,
            let refusal = try passcodes.prove(
                by,
                passcode: request.proof?.passcode,
                purpose: Message(
                    "purpose.change-role",
                    "change the role or account of \(known.name, "member")"
                ),
                state: &state,
                context: context,
                change: change,
                field: "/proof/passcode"
            )
        {
            return MemberSet.Reply(member: known, refusal: refusal)
        }
        // A guardian's permission for a child has no meaning for other roles.
        if known.role == .child, wanted.role != .child {
            try endPermissions(of: known.name, of: .child, &state, change)
        }
        try save(wanted, state: &state, change: change)
        let wasHeld = known.role == .child && (wanted.role != .child || wanted.account == nil)
        let isHeld = known.role != .child && wanted.role == .child
        try change.recordHistory(
            HistoryLine(
                .member,
                wasHeld ? .loosened : isHeld ? .tightened : nil,
                about: known.name,
                by: by,
                before: description(known),
                after: description(wanted)
            )
        )
        return MemberSet.Reply(member: wanted)
    }

    static func remove(
        _ request: MemberRemove.Request,
        passcodes: Passcodes,
        state: inout AuthState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> MemberRemove.Reply {
        let known = try member(request.member, state)
        guard state.members.ofThisAccount?.name != known.name else {
            throw Problem(
                "member.is_here",
                """
                This account belongs to \(known.name, "name"). Assign the account to another person before \
                you remove \(known.name, "name").
                """,
                field: "/member",
                help: "screentime member account \(known.name) --none"
            )
        }
        let by = try prover(of: known, nil, by: request.proof?.by, state)
        if let by,
            let refusal = try passcodes.prove(
                by,
                passcode: request.proof?.passcode,
                purpose: Message("purpose.remove", "remove \(known.name, "name")"),
                state: &state,
                context: context,
                change: change,
                field: "/proof/passcode"
            )
        {
            return MemberRemove.Reply(member: known, refusal: refusal)
        }
        try Questions.close(&state, change: change) { $0.member == known.name }
        try endPermissions(of: known.name, of: nil, &state, change)
        try AuthTables.remove(member: known.name, change.database)
        try change.emit(MemberRemoved.self, subject: "member/\(known.name)", known)
        try change.recordHistory(
            HistoryLine(
                .member,
                known.role == .child ? .loosened : nil,
                about: known.name,
                by: by,
                before: description(known)
            )
        )
        state.members.removeAll { $0.name == known.name }
        state.passcodes[known.name] = nil
        return MemberRemove.Reply(member: known)
    }

    /// Gives this account to the child whom an older configuration names.
    ///
    /// Any other change requires a person's decision, because every program of the account can write its configuration.
    static func adoptAccount(_ name: String, state: inout AuthState, change: StoreTransaction) throws {
        guard var child = state.members.first(where: { $0.name == name }), child.role == .child,
            child.account == nil,
            var owner = state.members.ofThisAccount, owner.role != .child
        else { return }
        child.account = AccountName.current
        owner.account = nil
        for member in [owner, child] { try save(member, state: &state, change: change) }
        try change.recordHistory(
            HistoryLine(
                .member,
                .tightened,
                about: name,
                before: MemberRole.child.label,
                after: description(child)
            )
        )
    }

    /// Returns the person whose passcode a change of a member requires, or `nil`. `wanted` is `nil` for a removal.
    ///
    /// A guardian must approve a new guardian, and changes that give a child more freedom or its guardians less control.
    private static func prover(of known: Member, _ wanted: Member?, by: String?, _ state: AuthState) throws
        -> String?
    {
        let guardians = Passcodes.guardians(state)
        var after = state.members.filter { $0.name != known.name || wanted != nil }
        if let index = after.firstIndex(where: { $0.name == known.name }), let wanted {
            after[index] = wanted
        }
        if guardians == [known.name], wanted?.role != .guardian,
            let child = after.first(where: { $0.role == .child })
        {
            throw Problem(
                "member.last_guardian",
                """
                \(known.name, "name") is the only guardian with a passcode. Without a guardian, nobody could \
                approve requests and rule changes of \(child.name, "name2"). First make another person a \
                guardian and set a passcode for that person.
                """,
                field: "/member",
                help: "screentime member add NAME --role guardian"
            )
        }
        let concernsGuardian = known.role != wanted?.role && [known.role, wanted?.role].contains(.guardian)
        let freesChild = known.role == .child && (wanted?.role != .child || known.account != nil)
        let (here, then) = (state.members.ofThisAccount, after.ofThisAccount)
        let freesAccount = here?.role == .child && then?.name != here?.name
        if !guardians.isEmpty, concernsGuardian || freesChild || freesAccount {
            return try Passcodes.prover(
                of: guardians,
                by: by,
                what: Message("auth.decision-role", "Changing or removing \(known.name, "member")")
            )
        }
        return wanted == nil && state.passcodes[known.name] != nil ? known.name : nil
    }

    private static func checkAccount(
        _ account: String,
        of member: Member,
        state: AuthState,
        accounts: () -> [ComputerAccount]
    ) throws {
        guard !account.isEmpty else { return }
        let known = accounts().map(\.name)
        guard known.contains(account) else {
            let (shown, list) = (TextLimit.shown(account), known.joined(separator: ", "))
            throw Problem(
                "account.unknown",
                text: TextFormat.closest(to: account, in: known).map {
                    Message(
                        "account.unknown.no-account-did-you-mean",
                        """
                        This computer has no account \(shown, "name"). Did you mean \($0, "near")? Accounts: \
                        \(list, "known").
                        """
                    )
                }
                    ?? Message(
                        "account.unknown.no-account",
                        "This computer has no account \(shown, "name"). Accounts: \(list, "known")."
                    ),
                field: "/account",
                help: "sudo adduser NAME"
            )
        }
        guard let holder = state.members.first(where: { $0.account == account }) else { return }
        throw Problem(
            "account.taken",
            """
            The account \(account, "account") belongs to \(holder.name, "name"). Each person needs a \
            separate account. If \(holder.name, "name") no longer uses this account, unassign it first.
            """,
            field: "/account",
            help: "screentime member account \(holder.name) --none"
        )
    }

    /// Ends permissions of apps for a member: all, or only those of a scope.
    private static func endPermissions(
        of member: String,
        of scope: AuthorizationScope?,
        _ state: inout AuthState,
        _ change: StoreTransaction
    ) throws {
        for known in Permissions.sorted(state)
        where known.member == member && known.status != .notDetermined
            && (scope == nil || known.scope == scope)
        {
            try Permissions.end(known, as: .notDetermined, state: &state, change: change)
        }
    }

    private static func save(_ member: Member, state: inout AuthState, change: StoreTransaction) throws {
        try AuthTables.save(member, change.database)
        try change.emit(MemberAdded.self, subject: "member/\(member.name)", member)
        if let index = state.members.firstIndex(where: { $0.name == member.name }) {
            state.members[index] = member
        } else {
            state.members.append(member)
        }
    }

    /// Returns the role and the account, for example `child, account kim`.
    private static func description(_ member: Member) -> Message {
        let role = member.role.label
        return member.account.map {
            Message("history-value.role-and-account", "\(role, "role"), account \($0, "account")")
        } ?? role
    }

    // MARK: - Finding a member

    /// Returns the member of that name. Without a name, returns the person of this account.
    static func member(_ name: String?, _ state: AuthState, field: String = "/member") throws -> Member {
        guard let name else {
            guard let owner = state.members.ofThisAccount else {
                throw Problem(
                    "unavailable",
                    "There are no members yet. Try again in a moment.",
                    key: "unavailable.there-are-no",
                    retryable: true
                )
            }
            return owner
        }
        if let known = state.members.first(where: { $0.name == name }) { return known }
        let near = TextFormat.closest(to: name, in: state.members.map(\.name))
        throw Problem(
            "member.not_found",
            text: near.map {
                Message(
                    "member.not_found.did-you-mean",
                    "There is no member \(TextLimit.shown(name), "name"). Did you mean \($0, "near")?"
                )
            }
                ?? Message("member.not_found", "There is no member \(TextLimit.shown(name), "name")."),
            field: field,
            help: near.map { "screentime member show \($0)" } ?? "screentime member list"
        )
    }

    private static func checkName(_ name: String) throws {
        guard !name.isEmpty, name.utf8.count <= nameBytesMax, name.isPlain, !name.contains("/")
        else {
            throw Problem(
                "member.bad_name",
                """
                A name must be 1 to \(nameBytesMax, "bytes") bytes long and must not contain a slash or \
                control characters.
                """,
                field: "/name"
            )
        }
    }
}

/// Limits texts from outside before they are stored or repeated.
enum TextLimit {
    private static let shownMax = 80

    /// Returns a text that is short enough for a quotation in a sentence.
    static func shown(_ text: String) -> String {
        let plain =
            text.isPlain ? text : String(text.unicodeScalars.filter { $0.value >= 32 }.map(Character.init))
        return plain.count > shownMax ? "“\(plain.prefix(shownMax))…”" : "“\(plain)”"
    }
}
