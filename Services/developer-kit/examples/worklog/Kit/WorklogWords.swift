package import STAppSupport

/// The texts of the app, in the person's language.
package struct WorklogWords: AppWords {
    package let language: Language

    package init(_ language: Language) { self.language = language }

    package var title: String { "Worklog" }

    // MARK: - On the shield

    package func workFirst(_ name: String?, _ hours: Length) -> String {
        let name = name ?? say("This", "이 앱은")
        return say(
            "\(name) opens after \(hours.text(language)) of work today.",
            "\(name): 오늘 \(hours.text(language)) 일하면 열려요."
        )
    }

    package func inTheEvening(_ name: String?, hasEvenings: Bool) -> String {
        let name = name ?? say("This", "이 앱은")
        guard hasEvenings else { return say("\(name) stays closed.", "\(name): 닫혀 있어요.") }
        return say(
            "\(name) is open from \(WorklogSchedules.eveningText).",
            "\(name): \(WorklogSchedules.eveningText)에 열려요."
        )
    }

    package var shieldTitle: String { say("Work first", "일이 먼저예요") }

    package var eveningTitle: String { say("Not now", "지금은 아니에요") }

    package var backToWork: String { say("Back to work", "일하러 가기") }

    // MARK: - In notifications

    package func done(_ hours: Length) -> String {
        say(
            "\(hours.text(language)) of work are done. Games are open until midnight.",
            "오늘 \(hours.text(language)) 일했어요. 자정까지 게임이 열려요."
        )
    }

    // MARK: - In the report

    package var weekTitle: String { say("This week", "이번 주") }

    package func week(_ seconds: Double, days: Int) -> String {
        guard days > 0 else { return say("Nothing was used yet.", "아직 사용한 것이 없어요.") }
        let per = Length(minutes: Int(seconds / 60) / days).text(language)
        return say(
            "\(length(seconds)) in all, \(per) a day",
            "모두 \(length(seconds)), 하루 평균 \(per)"
        )
    }

    package func length(_ seconds: Double) -> String { Length(minutes: Int(seconds / 60)).text(language) }

    package var time: String { say("Time", "사용 시간") }

    package var category: String { say("Category", "카테고리") }

    package var other: String { say("Other", "그 밖의 것") }

    // MARK: - On screens

    package func work(_ names: [String], _ hours: Length) -> String {
        guard !names.isEmpty else { return say("Work: no apps chosen yet", "일: 아직 앱을 고르지 않음") }
        return say("Work: ", "일: ") + names.joined(separator: ", ")
            + say(", \(hours.text(language)) a day", ", 하루 \(hours.text(language))")
    }

    package func games(isStarted: Bool, isShielded: Bool, isDone: Bool) -> String {
        guard isStarted else { return say("Games: not watched", "게임: 지켜보지 않음") }
        if isShielded { return say("Games: closed until the work is done", "게임: 일을 마칠 때까지 닫힘") }
        return isDone
            ? say("Games: open, the work is done", "게임: 열림, 일을 마쳤어요")
            : say("Games: closing in a moment", "게임: 곧 닫혀요")
    }

    package func social(isShielded: Bool, hasEvenings: Bool) -> String {
        let state = isShielded ? say("Social: closed", "소셜: 닫힘") : say("Social: open", "소셜: 열림")
        guard hasEvenings else { return state }
        return state + say(", open ", ", 여는 시간 ") + WorklogSchedules.eveningText
    }

    package var menu: String {
        say(
            "1 permission  2 work  3 start  4 evenings on/off  5 stop  6 status  q quit",
            "1 권한  2 일  3 시작  4 저녁 허용 켜기/끄기  5 중지  6 상태  q 끝"
        )
    }

    package var askPermission: String {
        say(
            "Worklog wants to know when you work, and to close games. Ask now?",
            "Worklog가 일한 시간을 보고 게임을 닫으려고 합니다. 지금 물어볼까요?"
        )
    }

    package var askNames: String {
        say(
            "Which apps, categories and sites are work? (Enter keeps them)",
            "어떤 앱, 카테고리, 사이트가 일인가요? (Enter: 그대로)"
        )
    }

    package var askHours: String {
        say("How much of it opens the games? (Enter keeps it)", "얼마나 일하면 게임이 열리나요? (Enter: 그대로)")
    }

    package var started: String { say("Work first, from now on.", "이제부터 일이 먼저예요.") }

    package var stopped: String { say("Everything is open again.", "이제 모두 열려 있어요.") }
}
