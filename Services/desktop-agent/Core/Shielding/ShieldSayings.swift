import STContracts
import STPlatform

/// The agent's own texts on a shield, and in notifications about it.
struct ShieldSayings: Sendable {
    private let language: DisplayLanguage

    init(_ language: String) { self.language = DisplayLanguage(of: language) }

    /// Returns the name of a cover, for assistive technology and lists of windows.
    func pane(_ name: String) -> String {
        text("shield.screen-time-is-shielded", "Screen Time: \(name, "name") is shielded")
    }

    // MARK: - More time

    func moreTime(_ duration: Duration, isOwn: Bool) -> String {
        let minutes = max(1, duration.ms / 60_000)
        return isOwn
            ? text("shield.more-minutes", "\(minutes, "minutes") min more")
            : text("shield.ask-for-more-time", "Ask for more time")
    }

    var requestingTime: String { text("shield.asking", "Asking…") }

    func timeRequested(_ request: RequestView) -> String {
        let name = request.request
        if request.state == .granted {
            return text("shield.is-granted", "Request \(name, "name") is granted.")
        }
        if let at = request.grantsAt {
            let time = at.split(separator: "T").last.map { String($0.prefix(5)) } ?? at
            return text(
                "shield.asked-your-own-rule",
                "Request \(name, "name") sent. Your own rule will grant it at \(time, "time")."
            )
        }
        return text("shield.asked-waits-for-a", "Request sent. \(name, "name") is waiting for a guardian.")
    }

    func refused(_ problem: Problem) -> String {
        problem.code == "unavailable" || problem.retryable ? silent : problem.message
    }

    // MARK: - Buttons

    var close: String { text("shield.close-the-app", "Close the app") }

    var closing: String {
        text("shield.closing-if-it-asks", "Closing the app. If it asks whether to save, answer it.")
    }

    var silent: String {
        text("shield.screen-time-is-not", "Screen Time is not answering right now. Try again.")
    }

    func open(_ name: String) -> String { text("shield.open-to-go-on", "Open \(name, "name") to continue.") }

    // MARK: - Notices

    /// Returns the warning before `step` interrupts a call or a recording. A nil step means the pause.
    func call(_ sentence: Message, name: String, step: ShieldEscalation.Step?, seconds: Int64) -> (
        title: String, body: String
    ) {
        switch step {
        case .closing:
            let body = text(
                "shield.call-asked-to-close",
                """
                \(sentence, "sentence") The app will be asked to close in \(seconds, "seconds") seconds, so \
                finish the call or recording now.
                """
            )
            return (closeTitle(name), body)
        case .ending:
            let body = text(
                "shield.call-ended",
                """
                \(sentence, "sentence") The app will be forced to close in \(seconds, "seconds") seconds, so \
                finish the call or recording now.
                """
            )
            return (endTitle(name), body)
        case .pause, nil:
            let body = text(
                "shield.call-paused",
                """
                \(sentence, "sentence") The app will be paused in \(seconds, "seconds") seconds, so finish \
                the call or recording now.
                """
            )
            return (text("shield.will-be-paused", "\(name, "name") will be paused"), body)
        }
    }

    func closeBody(seconds: Int64) -> String {
        text(
            "shield.it-is-shielded-and",
            "It is shielded, and its windows will be asked to close in \(seconds, "seconds") seconds."
        )
    }

    func closeTitle(_ name: String) -> String {
        text("shield.will-be-closed", "\(name, "name") will be closed")
    }

    func endBody(seconds: Int64) -> String {
        text(
            "shield.it-is-shielded-but",
            "It is shielded but still open, and will be forced to close in \(seconds, "seconds") seconds."
        )
    }

    func endTitle(_ name: String) -> String {
        text("shield.will-be-ended", "\(name, "name") will be forced to close")
    }

    private func text(_ key: String, _ text: MessageText) -> String { language.text(key, text) }
}
