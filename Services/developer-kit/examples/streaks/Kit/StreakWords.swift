package import STAppSupport

/// The texts of the app, in the person's language.
package struct StreakWords: AppWords {
    package let language: Language

    package init(_ language: Language) { self.language = language }

    // MARK: - In notifications

    package func reached(_ task: StreakTask) -> String {
        switch task.kind {
        case .decrease:
            say(
                "Missed today: \(task.amount.text(language)) are used up.",
                "오늘은 놓쳤어요. \(task.amount.text(language))을 다 썼어요."
            )
        case .increase:
            say(
                "Complete for today: \(task.amount.text(language)) reached.",
                "오늘은 해냈어요. \(task.amount.text(language))을 채웠어요."
            )
        }
    }

    package func almost(_ task: StreakTask, left: Length) -> String {
        switch task.kind {
        case .decrease:
            say(
                "\(left.text(language)) left of \(task.amount.text(language)).",
                "\(task.amount.text(language)) 가운데 \(left.text(language)) 남았어요."
            )
        case .increase:
            say(
                "\(left.text(language)) to go to \(task.amount.text(language)).",
                "\(task.amount.text(language))까지 \(left.text(language)) 남았어요."
            )
        }
    }

    // MARK: - On screens

    package func goal(_ task: StreakTask) -> String {
        switch task.kind {
        case .decrease: say("under \(task.amount.text(language))", "\(task.amount.text(language)) 미만")
        case .increase: say("at least \(task.amount.text(language))", "\(task.amount.text(language)) 이상")
        }
    }

    package func task(_ task: StreakTask) -> String {
        "\(task.id)  \(task.title): \(goal(task)), \(task.names.joined(separator: ", "))"
    }

    package func today(_ task: StreakTask, _ mark: StreakMark?) -> String {
        "\(self.mark(mark)) \(task.title): \(word(mark))"
    }

    package func streak(_ task: StreakTask, _ length: Int, longest: Int) -> String {
        say(
            "\(task.title): \(length) in a row, longest \(longest)",
            "\(task.title): 연속 \(length)일, 최고 \(longest)일"
        )
    }

    package func mark(_ mark: StreakMark?) -> Character {
        switch mark {
        case .complete: "✓"
        case .missed: "✗"
        case nil: "·"
        }
    }

    package func word(_ mark: StreakMark?) -> String {
        switch mark {
        case .complete: say("complete", "완료")
        case .missed: say("missed", "놓침")
        case nil: say("open", "진행 중")
        }
    }

    /// The names of the weekdays, starting with Sunday. Each has two columns.
    package var weekdays: [String] {
        switch language {
        case .english: ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"]
        case .korean: ["일", "월", "화", "수", "목", "금", "토"]
        }
    }

    package var noTasks: String {
        say("No tasks yet. Add one with: a", "아직 과제가 없어요. a로 추가하세요.")
    }

    package func watched(_ interval: String?) -> String {
        guard let interval else { return say("Nothing is watched.", "아무것도 지켜보지 않아요.") }
        return say("Watched: \(interval)", "지켜보는 중: \(interval)")
    }

    package var menu: String {
        say(
            "p permission  l tasks  a add  e edit  r remove  t today  s streaks  m month  w watch  o stop  q quit",
            "p 권한  l 과제  a 추가  e 수정  r 삭제  t 오늘  s 연속  m 달력  w 시작  o 중지  q 끝"
        )
    }

    package var askPermission: String {
        say(
            "Streaks wants to know how long apps are used. Ask now?",
            "Streaks가 앱 사용 시간을 알고 싶어 합니다. 지금 물어볼까요?"
        )
    }

    package var askKind: String {
        say("Less (d, decrease) or more (i, increase)?", "줄이기(d)인가요, 늘리기(i)인가요?")
    }

    package var askTitle: String { say("What is it called?", "이름은 무엇인가요?") }

    package var askNames: String { say("Which apps, categories and sites?", "어떤 앱, 카테고리, 사이트인가요?") }

    package var askAmount: String { say("How long a day?", "하루에 얼마나요?") }

    package var askTask: String { say("Which task?", "어떤 과제인가요?") }

    package var askMonth: String { say("Which month? (Enter: this one)", "몇 월인가요? (Enter: 이번 달)") }

    package func keeps(_ question: String) -> String { question + say(" (Enter keeps it)", " (Enter: 그대로)") }
}
