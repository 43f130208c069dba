import STContracts
import STPlatform

/// The agent's own texts on a shield, and in notifications about it.
struct ShieldSayings: Sendable {
    private let language: WordLanguage

    init(_ language: String) { self.language = WordLanguage(of: language) }

    /// Returns the name of a cover, for assistive technology and lists of windows.
    func pane(_ name: String) -> String {
        say("shield.screen-time-is-shielded", "Screen Time: \(name, "name") is shielded")
    }

    // MARK: - More time

    func more(_ durationMs: Int64, isOwn: Bool) -> String {
        let minutes = max(1, durationMs / 60_000)
        return isOwn
            ? say("shield.more-minutes", "\(minutes, "minutes") min more")
            : say("shield.ask-for-more-time", "Ask for more time")
    }

    var asking: String { say("shield.asking", "Asking…") }

    func asked(_ request: RequestView) -> String {
        let name = request.request
        if request.state == .granted {
            return say("shield.is-granted", "Request \(name, "name") is granted.")
        }
        if let at = request.grantsAt {
            let time = at.split(separator: "T").last.map { String($0.prefix(5)) } ?? at
            return say(
                "shield.asked-your-own-rule",
                "Request \(name, "name") sent. Your own rule will grant it at \(time, "time")."
            )
        }
        return say("shield.asked-waits-for-a", "Request sent. \(name, "name") is waiting for a guardian.")
    }

    func refused(_ problem: Problem) -> String {
        problem.code == "unavailable" || problem.retryable ? silent : problem.message
    }

    // MARK: - Buttons

    var close: String { say("shield.close-the-app", "Close the app") }

    var closing: String {
        say("shield.closing-if-it-asks", "Closing the app. If it asks whether to save, answer it.")
    }

    var silent: String {
        say("shield.screen-time-is-not", "Screen Time is not answering right now. Try again.")
    }

    func open(_ name: String) -> String { say("shield.open-to-go-on", "Open \(name, "name") to continue.") }

    // MARK: - Notices

    /// Returns the warning before `step` interrupts a call or a recording. A nil step means the pause.
    func call(_ sentence: Message, _ name: String, _ step: ShieldEscalation.Step?, seconds: Int64) -> (
        title: String, body: String
    ) {
        switch step {
        case .closing:
            let body = say(
                "shield.call-asked-to-close",
                """
                \(sentence, "sentence") The app will be asked to close in \(seconds, "seconds") seconds, so \
                finish the call or recording now.
                """
            )
            return (closeTitle(name), body)
        case .ending:
            let body = say(
                "shield.call-ended",
                """
                \(sentence, "sentence") The app will be forced to close in \(seconds, "seconds") seconds, so \
                finish the call or recording now.
                """
            )
            return (endTitle(name), body)
        case .hold, nil:
            let body = say(
                "shield.call-paused",
                """
                \(sentence, "sentence") The app will be paused in \(seconds, "seconds") seconds, so finish \
                the call or recording now.
                """
            )
            return (say("shield.will-be-paused", "\(name, "name") will be paused"), body)
        }
    }

    func closeBody(seconds: Int64) -> String {
        say(
            "shield.it-is-shielded-and",
            "It is shielded, and its windows will be asked to close in \(seconds, "seconds") seconds."
        )
    }

    func closeTitle(_ name: String) -> String {
        say("shield.will-be-closed", "\(name, "name") will be closed")
    }

    func endBody(seconds: Int64) -> String {
        say(
            "shield.it-is-shielded-but",
            "It is shielded but still open, and will be forced to close in \(seconds, "seconds") seconds."
        )
    }

    func endTitle(_ name: String) -> String {
        say("shield.will-be-ended", "\(name, "name") will be forced to close")
    }

    private func say(_ key: String, _ text: MessageText) -> String { language.say(key, text) }
}
