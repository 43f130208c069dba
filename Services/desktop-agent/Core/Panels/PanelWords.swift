import STContracts
import STPlatform

/// The words of panels in the language of the session: Korean, or else English.
struct PanelWords: Sendable, Equatable {
    private let isKorean: Bool

    init(language: String?) { isKorean = WordLanguage(of: language) == .korean }

    // MARK: - What is left

    func minutes(_ count: Int64) -> String { isKorean ? "\(count)분" : "\(count) min" }

    func seconds(_ count: Int64) -> String { "\(count / 60):\(count % 60 < 10 ? "0" : "")\(count % 60)" }

    func left(_ name: String, _ time: String) -> String {
        isKorean ? "\(name): \(time) 남음" : "\(name): \(time) left"
    }

    // MARK: - Questions

    func asks(_ app: String) -> String {
        isKorean ? "‘\(app)’ 앱이 권한을 요청합니다" : "“\(app)” asks for permission"
    }

    func source(_ app: String, member: String) -> String {
        isKorean ? "\(app) · 대상: \(member)" : "\(app) · for \(member)"
    }

    func passcode(of name: String) -> String { isKorean ? "\(name)의 암호" : "Passcode of \(name)" }

    var deny: String { isKorean ? "허용 안 함" : "Don’t Allow" }
    /// After the first Return on it.
    var denyAgain: String {
        isKorean ? "허용하지 않으려면 Return 키를 한 번 더 누르세요." : "Press Return again to choose Don’t Allow."
    }
    func hint(_ hint: QuestionForm.Hint) -> String {
        switch hint {
        case .tooEarly:
            isKorean
                ? "이 창이 뜨기 전부터 입력하던 글자는 받지 않았습니다. 잠시 멈췄다가 입력하세요."
                : "What was typed before was left out. Pause for a moment, then type."
        case .passcodeMissing: isKorean ? "먼저 암호를 입력하세요." : "Type the passcode first."
        }
    }

    var allow: String { isKorean ? "허용" : "Allow" }

    /// The sentences of auth-service in this language; an unknown one stays as it is.
    func reason(_ text: String) -> String { isKorean ? Self.koreanReasons[text] ?? text : text }

    private static let koreanReasons = [
        "See how long the apps, categories and sites that you choose are used.":
            "선택한 앱, 카테고리, 사이트를 얼마나 사용하는지 봅니다.",
        "Put shields over them, and take its own shields away.":
            "그 위에 차단 화면을 띄우고, 스스로 띄운 차단 화면을 거둡니다.",
        "Act when a time that you agreed on with it begins, ends or is used up.":
            "정해 둔 시간이 시작되거나 끝나거나 다 쓰였을 때 알림을 받고 그에 따라 동작합니다.",
        "Choose what its own shields look like.": "스스로 띄운 차단 화면의 모양을 정합니다.",
        "Act when a button on its shield is pressed.": "차단 화면의 버튼을 누르면 동작합니다.",
        "Draw reports of your use on this computer.": "이 컴퓨터의 사용 시간 보고서를 그립니다.",
        "Stay installed until a guardian removes it.": "보호자가 제거할 때까지 설치된 상태로 남습니다.",
    ]

    static var knownReasons: [String] { koreanReasons.keys.sorted() }

    /// What went wrong with an answer; `lockedMs` is how long no passcode is taken from now on.
    func error(_ problem: Problem, lockedMs: Int64?) -> String {
        if let lockedMs {
            let time = wait(lockedMs)
            return isKorean
                ? "암호를 여러 번 잘못 입력했습니다. \(time) 후에 다시 시도할 수 있습니다."
                : "There were too many wrong passcodes; try again in \(time)."
        }
        if problem.code == "auth.wrong_passcode" {
            guard let left = problem.details["tries_left"].flatMap({ Int64($0) }) else {
                return isKorean ? "암호가 맞지 않습니다." : "That passcode is not right."
            }
            if isKorean { return "암호가 맞지 않습니다. \(left)번 더 시도할 수 있습니다." }
            return "That passcode is not right; \(left) \(left == 1 ? "try is" : "tries are") left."
        }
        if problem.code.hasPrefix("auth.") || problem.code.hasPrefix("passcode."), !isKorean,
            problem.code != "auth.no_answer"
        {
            return problem.message
        }
        return isKorean
            ? "지금은 답할 수 없습니다. 다시 시도해 주세요." : "Screen Time could not take the answer; please try again."
    }

    /// Rounded up to whole minutes, so that it is not too early to try again.
    private func wait(_ ms: Int64) -> String {
        let minutes = max(1, (ms + 59_999) / 60_000)
        if isKorean { return "\(minutes)분" }
        return minutes == 1 ? "a minute" : "\(minutes) minutes"
    }
}
