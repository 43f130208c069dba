import STContracts
import STPlatform

/// The texts of panels in the language of the session.
struct PanelStrings: Sendable, Equatable {
    private let language: DisplayLanguage

    init(language: String?) { self.language = DisplayLanguage(of: language) }

    private func text(_ key: String, _ text: MessageText) -> String { language.text(key, text) }

    // MARK: - Remaining time

    func minutes(_ count: Int64) -> String { text("length.minutes", "\(count, "count") min") }

    func seconds(_ count: Int64) -> String { "\(count / 60):\(count % 60 < 10 ? "0" : "")\(count % 60)" }

    func timeRemaining(_ name: String, _ time: String) -> String {
        text("panel.left", "\(name, "name"): \(time, "time") left")
    }

    // MARK: - Questions

    func requestTitle(_ app: String) -> String {
        text("panel.asks-for-permission", "“\(app, "app")” asks for permission")
    }

    func source(_ app: String, member: String) -> String {
        text("panel.for", "\(app, "app") · for \(member, "member")")
    }

    func passcode(of name: String) -> String { text("panel.passcode-of", "Passcode of \(name, "name")") }

    var deny: String { text("panel.dont-allow", "Don’t Allow") }
    /// The hint after the first Return on Don’t Allow.
    var denyAgain: String {
        text("panel.press-return-again-to", "Press Return again to choose Don’t Allow.")
    }
    func hint(_ hint: QuestionForm.Hint) -> String {
        switch hint {
        case .tooEarly:
            text(
                "panel.what-was-typed-before",
                "Your earlier typing was ignored. Pause for a moment, then type."
            )
        case .passcodeMissing: text("panel.type-the-passcode-first", "Type the passcode first.")
        }
    }

    var allow: String { text("panel.allow", "Allow") }

    func text(_ message: Message) -> String { message.text(in: language) }

    /// Returns the text for an answer that failed. `locked` is the time during which no passcode is accepted.
    func error(_ problem: Problem, locked: Duration?) -> String {
        if let locked {
            let time = retryHint(locked)
            return text(
                "panel.there-were-too-many",
                "There were too many wrong passcodes; try again in \(time, "time")."
            )
        }
        if problem.code == "auth.wrong_passcode" {
            guard let left = problem.details["tries_left"].flatMap({ Int64($0) }) else {
                return text("panel.that-passcode-is-not", "That passcode is not right.")
            }
            return language.text(
                "panel.that-passcode-is-not-tries",
                count: Int(clamping: left),
                one: "That passcode is not right; 1 try is left.",
                other: "That passcode is not right; \(left, "count") tries are left."
            )
        }
        if problem.code.hasPrefix("auth.") || problem.code.hasPrefix("passcode."),
            problem.code != "auth.no_answer"
        {
            return problem.text.text(in: language)
        }
        return text(
            "panel.screen-time-could-not",
            "Screen Time could not process the answer. Try again."
        )
    }

    /// Returns the time rounded up to whole minutes, so that the next attempt is not too early.
    private func retryHint(_ wait: Duration) -> String {
        let minutes = max(1, (wait.ms + 59_999) / 60_000)
        return language.text(
            "panel.count-of-minutes",
            count: Int(clamping: minutes),
            one: "a minute",
            other: "\(minutes, "count") minutes"
        )
    }
}
