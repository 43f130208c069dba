import STContracts
import STEngine
import STPlatform

/// Questions to people. Each is asked once, requires proof, and expires after a minute.
enum Questions {
    static let lifetime = Duration.seconds(60)
    private static let openMax = 50
    /// Upper bound on the stored questions. Answered ones are kept so that the app can read the answer.
    private static let keptMax = 200

    // MARK: - Asking

    static func open(
        _ request: AuthRequest.Request,
        state: inout AuthState,
        change: StoreTransaction
    ) throws -> AuthRequest.Reply {
        let scope = try request.scope.required("/scope")
        try Permissions.refuseBuiltIn(request.app)
        let app = try Apps.installed(request.app, state)
        let member = try HouseholdMembers.member(request.member, state)
        try closeExpired(&state, change)
        let known = Permissions.authorization(request.app, member: member.name, state: state)
        if known.status == .approved, known.scope == scope { return AuthRequest.Reply(authorization: known) }
        if known.status == .denied, request.again != true { throw refusedBefore(known) }
        let provers = try provers(scope, member: member, app: request.app, state: state)
        let open = state.questions.first {
            $0.question.state == .pending && $0.question.app == request.app
                && $0.question.member == member.name && $0.question.scope == scope
        }
        if let open { return AuthRequest.Reply(authorization: known, question: open.question) }
        guard state.questions.filter({ $0.question.state == .pending }).count < openMax else {
            throw Problem(
                "auth.too_many_questions",
                """
                \(openMax, "most") permission requests are open, which is the limit. Each request expires \
                after a minute. Try again then.
                """,
                retryable: true
            )
        }
        let stored = StoredQuestion(
            question: AuthQuestion(
                request: Identifier.make(wallMs: change.now.wallMs),
                app: request.app,
                appName: app.manifest.name,
                member: member.name,
                scope: scope,
                reasons: reasons(app, scope),
                provers: provers,
                state: .pending,
                expiresAt: RFC3339.text(wallMs: (change.now.wall + lifetime).ms)
            ),
            asked: change.now.boot
        )
        try save(stored, change)
        state.questions.append(stored)
        if state.questions.count > keptMax {
            try QuestionTable.remove(state.questions.removeFirst().question.request, change.database)
        }
        return AuthRequest.Reply(authorization: known, question: stored.question)
    }

    /// Returns the members who can answer with their passcode. Throws if there are none.
    private static func provers(
        _ scope: AuthorizationScope,
        member: Member,
        app: String,
        state: AuthState
    ) throws -> [String] {
        guard scope == .child else {
            guard state.passcodes[member.name] != nil else { throw Passcodes.noPasscode(of: [member.name]) }
            return [member.name]
        }
        guard member.role == .child else {
            throw Problem(
                "auth.invalid_account_type",
                """
                \(member.name, "name") is not a child in this household but has the role \
                \(member.role.label, "role"), so a guardian cannot answer for \(member.name, "name"). \
                Request permission for an individual.
                """,
                field: "/scope",
                help: "screentime member list"
            )
        }
        let guardians = Passcodes.guardians(state)
        guard !guardians.isEmpty else { throw Passcodes.noGuardian() }
        try Permissions.checkConflict(app, child: member.name, state: state)
        return guardians
    }

    private static func reasons(_ app: InstalledApp, _ scope: AuthorizationScope) -> [Message] {
        var reasons = [
            Message(
                "app-permission.see-usage",
                "See how long you use the apps, categories and sites that you choose."
            ),
            Message("app-permission.shield", "Shield these apps and sites, and remove its own shields."),
        ]
        reasons += app.manifest.extensions.compactMap { ExtensionPoint($0.point).reason }
        if scope == .child {
            reasons.append(
                Message("app-permission.stay", "Stay installed until a guardian removes it.")
            )
        }
        return reasons
    }

    private static func refusedBefore(_ known: Authorization) -> Problem {
        Problem(
            "auth.canceled",
            """
            \(known.member, "member") denied permission to \(known.app, "app"), so \(known.app, "app") \
            cannot request it again.
            """,
            key: "auth.canceled.has-said-no",
            help: "screentime app access \(known.app) on --member \(known.member)"
        )
    }

    // MARK: - Reading

    static func show(
        _ request: AuthQuestionShow.Request,
        state: AuthState,
        context: RequestContext
    ) throws -> AuthQuestion {
        let now = context.now
        guard let id = request.request else {
            guard let app = request.app else {
                throw Problem("body.field_missing", "Name a request or an app.", field: "/request")
            }
            let open = state.questions.last {
                $0.question.app == app && view($0, now).state == .pending
                    && context.concerns($0.question.member)
            }
            guard let open else {
                throw Problem(
                    "auth.no_question",
                    "\(TextLimit.shown(app), "app") has no open permission request at the moment.",
                    field: "/app"
                )
            }
            return view(open, now)
        }
        let found = try find(id, state)
        try context.check(isOf: found.question.member)
        return view(found, now)
    }

    static func find(_ id: String, _ state: AuthState) throws -> StoredQuestion {
        guard let stored = state.questions.last(where: { $0.question.request == id }) else {
            throw Problem(
                "auth.unknown_request",
                """
                There is no permission request \(TextLimit.shown(id), "id"). It may be too old. Have the app \
                request permission again.
                """,
                field: "/request"
            )
        }
        return stored
    }

    /// Returns the current state. An expired question is canceled even if that is not stored yet.
    private static func view(_ stored: StoredQuestion, _ now: TimeReading) -> AuthQuestion {
        var question = stored.question
        if question.state == .pending, isExpired(stored, now) { question.state = .canceled }
        return question
    }

    private static func isExpired(_ stored: StoredQuestion, _ now: TimeReading) -> Bool {
        // No screen still shows a question from before a restart.
        now.boot < stored.asked || now.boot - stored.asked >= lifetime
    }

    // MARK: - Answering

    static func answer(
        _ request: AuthAnswer.Request,
        passcodes: Passcodes,
        state: inout AuthState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> AuthAnswer.Reply {
        let asked = try find(request.request, state).question
        try context.check(isOf: asked.member)
        let wasOpen = asked.state == .pending
        try closeExpired(&state, change)
        let question = try find(request.request, state).question
        let known = Permissions.authorization(question.app, member: question.member, state: state)
        if wasOpen, question.state == .canceled {
            // Returned and not thrown, so that the end of the question is stored.
            return AuthAnswer.Reply(authorization: known, question: question, refusal: expired())
        }
        guard question.state == .pending else { throw alreadyClosed(question) }
        guard request.allow else { return try refuse(question, known: known, state: &state, change: change) }
        let prover = try prover(question, by: request.by, state: state)
        // Another app may have received the permission in the meantime.
        if question.scope == .child {
            try Permissions.checkConflict(question.app, child: question.member, state: state)
        }
        if let refusal = try passcodes.prove(
            prover,
            passcode: request.passcode,
            purpose: Message(
                "purpose.allow-app",
                "allow \(question.appName, "app") for \(question.member, "member")"
            ),
            state: &state,
            context: context,
            change: change
        ) {
            return AuthAnswer.Reply(authorization: known, question: question, refusal: refusal)
        }
        let approved = try Permissions.approve(known, scope: question.scope, state: &state, change: change)
        let settled = try close(id: question.request, as: .approved, state: &state, change: change)
        return AuthAnswer.Reply(authorization: approved, question: settled)
    }

    /// Refuses a question. A refusal needs no proof, because it gives no permission.
    private static func refuse(
        _ question: AuthQuestion,
        known: Authorization,
        state: inout AuthState,
        change: StoreTransaction
    ) throws -> AuthAnswer.Reply {
        // Refusing a further question does not revoke an existing permission.
        let denied =
            known.status == .approved
            ? known : try Permissions.end(known, as: .denied, state: &state, change: change)
        let settled = try close(id: question.request, as: .denied, state: &state, change: change)
        return AuthAnswer.Reply(authorization: denied, question: settled)
    }

    private static func prover(_ question: AuthQuestion, by: String?, state: AuthState) throws -> String {
        if question.scope == .child {
            return try Passcodes.prover(
                of: Passcodes.guardians(state),
                by: by,
                what: Message(
                    "auth.decision-allowing",
                    "Allowing \(question.appName, "app") for \(question.member, "member")"
                )
            )
        }
        guard by == nil || by == question.member else {
            throw Problem(
                "auth.not_a_prover",
                """
                \(question.appName, "appName") requests permission from \(question.member, "member"), so \
                only \(question.member, "member") can answer.
                """,
                key: "auth.not_a_prover.asks-so-only",
                field: "/by"
            )
        }
        return question.member
    }

    private static func expired() -> Problem {
        Problem(
            "auth.canceled",
            """
            The permission request expired after \(MessageValue.duration(ms: lifetime.ms), "expires"). Have \
            the app request permission again.
            """,
            key: "auth.canceled.the-question-was"
        )
    }

    private static func alreadyClosed(_ question: AuthQuestion) -> Problem {
        switch question.state {
        case .canceled: expired()
        case .approved, .denied, .pending, .unknown:
            Problem(
                "auth.already_answered",
                "This permission request has already been answered: \(question.state.label, "state").",
                field: "/request",
                help: "screentime app list"
            )
        }
    }

    // MARK: - Ending

    static func close(
        id: String,
        as outcome: AuthRequestState,
        state: inout AuthState,
        change: StoreTransaction
    ) throws -> AuthQuestion {
        guard let index = state.questions.lastIndex(where: { $0.question.request == id }) else {
            return try find(id, state).question
        }
        state.questions[index].question.state = outcome
        try save(state.questions[index], change)
        return state.questions[index].question
    }

    static func closeExpired(_ state: inout AuthState, _ change: StoreTransaction) throws {
        for stored in state.questions where stored.question.state == .pending && isExpired(stored, change.now)
        {
            _ = try close(id: stored.question.request, as: .canceled, state: &state, change: change)
        }
    }

    /// Cancels the open questions for which `isMeant` returns true.
    static func close(
        _ state: inout AuthState,
        change: StoreTransaction,
        isMeant: (AuthQuestion) -> Bool
    ) throws {
        for stored in state.questions where stored.question.state == .pending && isMeant(stored.question) {
            _ = try close(id: stored.question.request, as: .canceled, state: &state, change: change)
        }
    }

    private static func save(_ stored: StoredQuestion, _ change: StoreTransaction) throws {
        try QuestionTable.save(stored, change.database)
        let question = stored.question
        // In a snapshot, the latest question of an app to a member replaces the earlier ones.
        try change.emit(
            AuthQuestionChanged.self,
            subject: "question/\(question.app)/\(question.member)",
            question
        )
    }
}

extension ExtensionPoint {
    /// The abilities of an app with such an extension, for the question to the person.
    fileprivate var reason: Message? {
        switch self {
        case .monitor:
            Message(
                "app-permission.monitor",
                "Run when a schedule that you set in the app begins or ends, or when a time limit is reached."
            )
        case .shieldConfiguration:
            Message("app-permission.appearance", "Choose the appearance of its own shields.")
        case .shieldAction: Message("app-permission.button", "Run when you press a button on its shield.")
        case .report: Message("app-permission.report", "Draw reports of your usage on this computer.")
        default: nil
        }
    }
}
