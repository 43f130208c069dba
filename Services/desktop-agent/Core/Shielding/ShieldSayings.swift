import STContracts
import STPlatform

/// What the agent itself says on and beside a shield, in English and Korean.
struct ShieldSayings: Sendable {
    private let language: WordLanguage

    init(_ language: String) { self.language = WordLanguage(of: language) }

    /// For assistive technology and lists of windows.
    func pane(_ name: String) -> String { say("Screen Time: \(name) is shielded", "스크린 타임: \(name) 사용 제한") }

    // MARK: - More time

    func more(_ durationMs: Int64, isOwn: Bool) -> String {
        let minutes = max(1, durationMs / 60_000)
        return isOwn
            ? say("\(minutes) more minutes", "\(minutes)분 더 사용하기") : say("Ask for more time", "시간 더 요청하기")
    }

    var asking: String { say("Asking…", "요청하는 중…") }

    func asked(_ request: RequestView) -> String {
        let name = request.request
        if request.state == .granted { return say("\(name) is granted.", "\(name)이(가) 승인되었습니다.") }
        if let at = request.grantsAt {
            let time = at.split(separator: "T").last.map { String($0.prefix(5)) } ?? at
            return say(
                "Asked. Your own rule grants \(name) at \(time).",
                "요청했습니다. 내 규칙에 따라 \(time)에 \(name)이(가) 승인됩니다."
            )
        }
        return say("Asked. \(name) waits for a guardian.", "요청했습니다. \(name)이(가) 보호자의 답을 기다립니다.")
    }

    func refused(_ problem: Problem) -> String {
        problem.code == "unavailable" || problem.retryable ? silent : problem.message
    }

    // MARK: - Buttons

    var close: String { say("Close the app", "앱 닫기") }

    var closing: String {
        say("Closing. If it asks whether to save, answer it.", "닫는 중입니다. 저장할지 물으면 답하세요.")
    }

    var silent: String {
        say("Screen Time is not answering right now. Try again.", "지금은 스크린 타임이 응답하지 않습니다. 다시 시도하세요.")
    }

    func open(_ name: String) -> String { say("Open \(name) to go on.", "계속하려면 \(name) 앱을 여세요.") }

    // MARK: - Notices

    /// Warns of a call or a recording that `step` will cut; nil stands for the pause.
    func call(_ sentence: String, _ name: String, _ step: ShieldEscalation.Step?, seconds: Int64) -> (
        title: String, body: String
    ) {
        let (title, will, korean) =
            switch step {
            case .closing: (closeTitle(name), "will be asked to close", "닫도록 요청하니")
            case .ending: (endTitle(name), "will be ended", "종료하니")
            case .hold, nil: (say("\(name) will be paused", "\(name) 앱이 곧 멈춥니다"), "will be paused", "멈추니")
            }
        let body = say(
            "\(sentence) It \(will) in \(seconds) seconds, so finish it now.",
            "\(sentence) \(seconds)초 뒤에 \(korean) 지금 마무리하세요."
        )
        return (title, body)
    }

    func closeBody(seconds: Int64) -> String {
        say(
            "It is shielded, and its windows will be asked to close in \(seconds) seconds.",
            "사용이 제한되어 \(seconds)초 뒤에 창을 닫도록 요청합니다."
        )
    }

    func closeTitle(_ name: String) -> String { say("\(name) will be closed", "\(name) 앱이 곧 닫힙니다") }

    func endBody(seconds: Int64) -> String {
        say(
            "It is shielded but still open, and will be ended in \(seconds) seconds.",
            "사용이 제한되었지만 아직 열려 있어 \(seconds)초 뒤에 종료합니다."
        )
    }

    func endTitle(_ name: String) -> String { say("\(name) will be ended", "\(name) 앱이 곧 종료됩니다") }

    private func say(_ english: String, _ korean: String) -> String { language.pick(english, korean) }
}
