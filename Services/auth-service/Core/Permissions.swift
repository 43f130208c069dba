import STContracts
import STEngine
import STPlatform

/// The permissions that members give to apps.
///
/// An app has access only while its status is approved. Its settings are in force only then, and only while `enforce` is on.
enum Permissions {
    // MARK: - Reading

    static func status(_ app: String, member: String?, state: AuthState) throws -> Authorization {
        try Apps.checkID(app)
        return authorization(app, member: try HouseholdMembers.member(member, state).name, state: state)
    }

    static func authorization(_ app: String, member: String, state: AuthState) -> Authorization {
        if BuiltIn.isBuiltIn(app) { return BuiltIn.authorization(app, member) }
        return state.authorizations[PermissionKey(app: app, member: member)]
            ?? Authorization(
                app: app,
                member: member,
                status: .notDetermined,
                scope: .individual,
                access: false,
                enforce: false,
                generation: 0
            )
    }

    static func list(_ request: AuthorizationList.Request, state: AuthState, context: RequestContext)
        throws -> AuthorizationList.Reply
    {
        let known = sorted(state).filter { context.concerns($0.member) }
        let page = try OffsetPage.slice(known, next: request.next)
        return AuthorizationList.Reply(authorizations: page.rows, next: page.next)
    }

    /// Returns the permissions of current members. The row of a former member only prevents the reuse of its generation.
    static func sorted(_ state: AuthState) -> [Authorization] {
        let here = Set(state.members.map(\.name))
        return state.authorizations.values.filter { here.contains($0.member) }
            .sorted { ($0.app, $0.member) < ($1.app, $1.member) }
    }

    // MARK: - Changing

    /// Approves a permission. The caller must have checked the proof.
    static func approve(
        _ known: Authorization,
        scope: AuthorizationScope,
        state: inout AuthState,
        change: StoreTransaction
    ) throws -> Authorization {
        var approved = known
        approved.status = .approved
        approved.scope = scope
        approved.access = true
        approved.enforce = true
        try Tokens.prepareKey(of: known.app, generation: known.generation, state, change)
        return try save(approved, state: &state, change: change)
    }

    /// Ends a permission and its tokens.
    @discardableResult
    static func end(
        _ known: Authorization,
        as status: AuthorizationStatus,
        state: inout AuthState,
        change: StoreTransaction
    ) throws -> Authorization {
        var ended = known
        ended.status = status
        ended.access = false
        ended.enforce = false
        if known.status == .approved {
            let generation = state.generations[known.app, default: 0] + 1
            try PermissionTable.save(generation: generation, of: known.app, change.database)
            state.generations[known.app] = generation
            ended.generation = generation
        }
        return try save(ended, state: &state, change: change)
    }

    /// Revokes a permission at the app's own request.
    static func revoke(
        _ request: AuthRevoke.Request,
        state: inout AuthState,
        change: StoreTransaction
    ) throws -> Authorization {
        let known = try status(request.app, member: request.member, state: state)
        try refuseBuiltIn(request.app)
        // As on a phone, revoking a refused permission has no effect.
        guard known.status == .approved else { return known }
        guard known.scope != .child else {
            throw Problem(
                "auth.proof_needed",
                "A guardian allowed this for \(known.member, "member"), so only a guardian can revoke it.",
                key: "auth.proof_needed.a-guardian-allowed",
                help: "screentime app access \(known.app) off --member \(known.member)"
            )
        }
        return try end(known, as: .notDetermined, state: &state, change: change)
    }

    /// Sets the switches of an app for a member: its access, and whether its settings are in force.
    static func setEnforced(
        _ request: AuthSwitch.Request,
        passcodes: Passcodes,
        state: inout AuthState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> AuthSwitch.Reply {
        let app = try Apps.installed(request.app, state)
        let known = try status(request.app, member: request.member, state: state)
        try checkSwitch(request, known)
        let isSame =
            (request.access ?? known.access) == known.access
            && (request.enforce ?? known.enforce) == known.enforce
            // Switching access off is a refusal, even before any question.
            && !(request.access == false && known.status == .notDetermined)
        if isSame { return AuthSwitch.Reply(authorization: known) }
        if known.status == .approved, known.scope == .child,
            let refusal = try passcodes.proveGuardian(
                by: request.by,
                passcode: request.passcode,
                deciding: Message(
                    "auth.decision-switch",
                    "Changing the permission of \(app.manifest.name, "app") for \(known.member, "member")"
                ),
                purpose: Message(
                    "purpose.switch-app",
                    "change the permission of \(app.manifest.name, "app") for \(known.member, "member")"
                ),
                state: &state,
                context: context,
                change: change
            )
        {
            return AuthSwitch.Reply(authorization: known, refusal: refusal)
        }
        if request.access == false {
            try Questions.close(&state, change: change) { $0.app == known.app && $0.member == known.member }
            return AuthSwitch.Reply(authorization: try end(known, as: .denied, state: &state, change: change))
        }
        var switched = known
        switched.enforce = request.enforce ?? known.enforce
        return AuthSwitch.Reply(authorization: try save(switched, state: &state, change: change))
    }

    private static func checkSwitch(_ request: AuthSwitch.Request, _ known: Authorization) throws {
        guard request.access != nil || request.enforce != nil else {
            throw Problem("auth.nothing_to_switch", "Specify `access`, `enforce` or both.")
        }
        guard request.access != true || known.access else {
            throw Problem(
                "auth.must_ask",
                "Access can be granted only by allowing the app's permission request with a passcode.",
                field: "/access",
                help: "screentime app access \(known.app) on --member \(known.member)"
            )
        }
        guard request.enforce != true || (known.access && request.access != false) else {
            throw unauthorized(known)
        }
    }

    /// Throws if another app has a guardian's permission for the child, because only one app may have it.
    static func checkConflict(_ app: String, child: String, state: AuthState) throws {
        let other = sorted(state).first {
            $0.member == child && $0.app != app && $0.status == .approved && $0.scope == .child
        }
        guard let other else { return }
        throw Problem(
            "auth.conflict",
            "\(other.app, "app") has this permission for \(child, "child") already, and only one app can have it.",
            field: "/app",
            help: "screentime app access \(other.app) off --member \(child)"
        )
    }

    static func unauthorized(_ known: Authorization) -> Problem {
        Problem(
            "auth.unauthorized",
            "\(known.member, "member") has not allowed \(known.app, "app") to do this.",
            field: "/app",
            help: "screentime app access \(known.app) on --member \(known.member)"
        )
    }

    static func refuseBuiltIn(_ app: String) throws {
        guard BuiltIn.isBuiltIn(app) else { return }
        throw Problem(
            "app.reserved_id",
            "\(app, "app") is part of Screen Time and always allowed. Remove or pause the rules instead.",
            field: "/app",
            help: "screentime rule list"
        )
    }

    private static func save(
        _ authorization: Authorization,
        state: inout AuthState,
        change: StoreTransaction
    ) throws -> Authorization {
        try PermissionTable.save(authorization, change.database)
        try change.emit(
            AuthorizationChanged.self,
            subject: "permission/\(authorization.app)/\(authorization.member)",
            authorization
        )
        let key = PermissionKey(app: authorization.app, member: authorization.member)
        try change.recordHistory(
            HistoryLine(
                .permission,
                about: authorization.app,
                member: authorization.member,
                before: state.authorizations[key].map { text($0.status) },
                after: text(authorization.status)
            )
        )
        state.authorizations[key] = authorization
        return authorization
    }
}

extension Permissions {
    private static func text(_ status: AuthorizationStatus) -> Message {
        switch status {
        case .approved: Message("history-value.allowed", "allowed")
        case .denied: Message("history-value.denied", "denied")
        case .notDetermined: Message("history-value.not-answered", "not answered")
        case .unknown: Message("history-value.unknown", "unknown")
        }
    }
}

/// The part of the system that needs no permission: the rules of people.
enum BuiltIn {
    static let prefix = "screentime."
    static let rules = "screentime.rules"

    static func isBuiltIn(_ app: String) -> Bool { app == rules }

    static func authorization(_ app: String, _ member: String) -> Authorization {
        Authorization(
            app: app,
            member: member,
            status: .approved,
            scope: .individual,
            access: true,
            enforce: true,
            generation: 0
        )
    }
}
