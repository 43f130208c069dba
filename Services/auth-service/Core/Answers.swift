import STContracts
import STEngine
import STPlatform

/// A person's answer to a question.
enum Answers {
    static func take(
        _ request: AuthAnswer.Request,
        _ passcodes: Passcodes,
        _ state: inout AuthState,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws -> AuthAnswer.Reply {
        let wasOpen = try Questions.find(request.request, state).question.state == .pending
        try Questions.closeExpired(&state, change)
        let question = try Questions.find(request.request, state).question
        let known = Permissions.authorization(question.app, question.member, state)
        if wasOpen, question.state == .canceled {
            // Answered and not thrown, so that its end is written down.
            return AuthAnswer.Reply(authorization: known, question: question, refusal: tooLate())
        }
        guard question.state == .pending else { throw over(question) }
        guard request.allow else { return try refuse(question, known, &state, change) }
        let prover = try prover(question, request.by, state)
        // Another app may have been faster.
        if question.scope == .child {
            try Permissions.checkConflict(question.app, question.member, state)
        }
        if let refusal = try passcodes.prove(
            prover,
            request.passcode,
            purpose: "allow \(question.appName) for \(question.member)",
            &state,
            context,
            change
        ) {
            return AuthAnswer.Reply(authorization: known, question: question, refusal: refusal)
        }
        let approved = try Permissions.approve(known, question.scope, &state, change)
        let settled = try Questions.settle(question.request, as: .approved, &state, change)
        return AuthAnswer.Reply(authorization: approved, question: settled)
    }

    /// Don't Allow needs no proof: it gives nothing away.
    private static func refuse(
        _ question: AuthQuestion,
        _ known: Authorization,
        _ state: inout AuthState,
        _ change: StoreTransaction
    ) throws -> AuthAnswer.Reply {
        // A no to more than what was allowed before does not take that away.
        let denied =
            known.status == .approved ? known : try Permissions.end(known, as: .denied, &state, change)
        let settled = try Questions.settle(question.request, as: .denied, &state, change)
        return AuthAnswer.Reply(authorization: denied, question: settled)
    }

    private static func prover(_ question: AuthQuestion, _ by: String?, _ state: AuthState) throws -> String {
        if question.scope == .child {
            return try Passcodes.prover(
                of: Passcodes.guardians(state),
                by: by,
                what: "Allowing \(question.appName) for \(question.member)"
            )
        }
        guard by == nil || by == question.member else {
            throw Problem(
                "auth.not_a_prover",
                "\(question.appName) asks \(question.member), so \(question.member) answers.",
                field: "/by"
            )
        }
        return question.member
    }

    private static func tooLate() -> Problem {
        Problem(
            "auth.canceled",
            "The question was open for \(TextFormat.duration(ms: Questions.expiresMs)) and is over. "
                + "Let the app ask again."
        )
    }

    private static func over(_ question: AuthQuestion) -> Problem {
        switch question.state {
        case .canceled: tooLate()
        case .approved, .denied, .pending, .unknown:
            Problem(
                "auth.already_answered",
                "This question was answered already: \(question.state.rawValue).",
                field: "/request",
                help: "screentime app list"
            )
        }
    }
}
