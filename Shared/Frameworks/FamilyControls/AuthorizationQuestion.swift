import STClientLink
import STContracts
import STFoundationTypes
import STPlatform

/// A question to a person that is open: shown on the terminal, and waited for.
struct AuthorizationQuestion {
    /// How often is asked whether it was answered.
    private static let lookMs: Int64 = 200
    /// The service ends a question earlier; this is for one that has no end.
    private static let longestMs: Int64 = 180_000

    static let refused = Problem("auth.canceled", "The person did not allow it, or did not answer.")

    let link: ClientLink
    let prompt: TerminalPrompt.Start

    /// Returns when it was answered with yes.
    func wait(for question: AuthQuestion) async throws(Problem) {
        let shown = prompt(question.app, question.request)
        defer { shown?.end() }
        if shown == nil {
            FrameworkLog.authorization.notice(
                "\(question.appName) asks for permission. To answer: "
                    + "screentime app access \(question.app) on --request \(question.request)"
            )
        }
        let start = Stopwatch.milliseconds()
        while Stopwatch.milliseconds() - start < Self.longestMs, !Task.isCancelled {
            let now = try await link.call(
                AuthQuestionShow.self,
                to: .auth,
                .init(request: question.request)
            )
            switch now.state {
            case .pending: await link.pause(milliseconds: Self.lookMs)
            case .approved: return
            case .denied, .canceled, .unknown: throw Self.refused
            }
        }
        throw Self.refused
    }
}
