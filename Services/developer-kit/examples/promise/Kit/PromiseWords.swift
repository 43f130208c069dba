package import STAppSupport

/// The texts of the app, in the person's language.
package struct PromiseWords: AppWords {
    package let language: Language

    package init(_ language: Language) { self.language = language }

    // MARK: - In notifications

    package var title: String { say("Promise", "약속") }

    package func reached(_ allowance: Length) -> String {
        say(
            "You have used the \(allowance.text(language)) that you promised yourself for today.",
            "오늘 쓰기로 약속한 \(allowance.text(language))을 다 썼어요."
        )
    }

    package func almost(left: Length, of allowance: Length) -> String {
        say(
            "\(left.text(language)) left of the \(allowance.text(language)) that you promised yourself.",
            "약속한 \(allowance.text(language)) 가운데 \(left.text(language)) 남았어요."
        )
    }

    // MARK: - On screens

    package func kept(_ kept: Int, broken: Int, inARow: Int) -> String {
        say(
            "Promises kept: \(kept), broken: \(broken). In a row: \(inARow).",
            "지킨 약속 \(kept)번, 어긴 약속 \(broken)번. 연속 \(inARow)일째."
        )
    }

    package func today(isBroken: Bool?) -> String {
        switch isBroken {
        case true: say("Today: broken.", "오늘: 어겼어요.")
        case false: say("Today: kept so far.", "오늘: 아직 지키고 있어요.")
        default: say("Today: no promise.", "오늘: 약속이 없어요.")
        }
    }

    package func chosen(_ names: [String]) -> String {
        names.isEmpty
            ? say("Apps: none chosen yet", "앱: 아직 고르지 않음")
            : say("Apps: ", "앱: ") + names.joined(separator: ", ")
    }

    package func terms(_ allowance: Length, warning: Length?, window: String) -> String {
        let warned =
            warning.map { say(", warning \($0.text(language)) before", ", \($0.text(language)) 전에 알림") } ?? ""
        return say("Allowance: \(allowance.text(language)) a day", "허용 시간: 하루 \(allowance.text(language))")
            + " (\(window))" + warned
    }

    package func own(_ words: String) -> String {
        words.isEmpty
            ? say("Words: the app's", "문구: 앱이 정한 문구") : say("Words: ", "문구: ") + "“\(words)”"
    }

    package func monitored(_ interval: String?) -> String {
        guard let interval else { return say("Monitored: nothing", "지켜보는 중: 없음") }
        return say("Monitored: every day; interval \(interval)", "지켜보는 중: 매일, 구간 \(interval)")
    }

    package func lastWords(_ words: String, at time: String) -> String {
        say("Last words (\(time)): “\(words)”", "마지막 문구(\(time)): “\(words)”")
    }

    package var menu: String {
        say(
            "1 permission  2 apps  3 time  4 words  5 start  6 stop  7 status  q quit",
            "1 권한  2 앱  3 시간  4 문구  5 시작  6 중지  7 상태  q 끝"
        )
    }

    package var askPermission: String {
        say("Promise wants to know how long apps are used. Ask now?", "약속이 앱 사용 시간을 알고 싶어 합니다. 지금 물어볼까요?")
    }

    package var askAllowance: String { say("How long a day? (Enter keeps it)", "하루에 얼마나요? (Enter: 그대로)") }

    package var askWarning: String {
        say("A warning how long before? (0m: none; Enter keeps it)", "얼마 전에 알릴까요? (0m: 없음, Enter: 그대로)")
    }

    package var askWords: String {
        say("What should it say when the time is up? (Enter keeps it)", "시간을 다 쓰면 뭐라고 말할까요? (Enter: 그대로)")
    }

    package var started: String { say("The promise holds.", "약속을 시작했어요.") }
}
