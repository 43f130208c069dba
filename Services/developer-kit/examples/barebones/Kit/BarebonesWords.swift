package import STAppSupport

/// The texts of the app, in the person's language.
package struct BarebonesWords: AppWords {
    package let language: Language

    package init(_ language: Language) { self.language = language }

    package var title: String { "Screen Time 101" }

    // MARK: - On the shield

    package func restricted(_ name: String?) -> String {
        guard let name else { return say("This app is restricted now.", "확인불가 앱은(는) 사용이 제한되었습니다.") }
        return say("\(name) is restricted now.", "\(name)은(는) 사용이 제한되었습니다.")
    }

    package func restricted(_ name: String?, in category: String?) -> String {
        guard let category else { return restricted(name) }
        return restricted(name) + "\n"
            + say("All of \(category) is restricted.", "\(category) 카테고리 전체가 제한되었습니다.")
    }

    package var close: String { say("Close", "종료하기") }

    package var withoutEffect: String { say("This does nothing", "눌러도 효과없음") }

    // MARK: - In notifications

    package func startsSoon(_ warning: Length) -> String {
        say(
            "The chosen apps will be restricted in \(warning.text(language)).",
            "\(warning.text(language)) 뒤에 고른 앱의 사용이 제한돼요."
        )
    }

    package func endsSoon(_ warning: Length) -> String {
        say(
            "The chosen apps are open again in \(warning.text(language)).",
            "\(warning.text(language)) 뒤에 제한이 풀려요."
        )
    }

    // MARK: - In the report

    package var totalTitle: String { say("Screen Time", "스크린 타임") }

    package func time(_ seconds: Double) -> String { Length(minutes: Int(seconds / 60)).text(language) }

    package func pickups(_ count: Int) -> String {
        say(count == 1 ? "1 pickup" : "\(count) pickups", "\(count)번 깨움")
    }

    package var nothingUsed: String { say("Nothing was used.", "사용한 앱이 없어요.") }

    // MARK: - On screens

    package func chosen(_ names: [String]) -> String {
        names.isEmpty
            ? say("Apps: none chosen yet", "앱: 아직 고르지 않음")
            : say("Apps: ", "앱: ") + names.joined(separator: ", ")
    }

    package func hours(_ hours: BarebonesHours) -> String {
        say("Every day: ", "매일: ") + hours.text
    }

    package func monitored(_ interval: String?) -> String {
        guard let interval else { return say("Monitored: nothing", "모니터링: 없음") }
        return say("Monitored: ", "모니터링: ") + interval
    }

    package func shielded(_ count: Int, categories: Int) -> String {
        count + categories == 0
            ? say("Shields: none", "제한: 없음")
            : say(
                "Shields: \(count) apps, \(categories) categories",
                "제한: 앱 \(count)개, 카테고리 \(categories)개"
            )
    }

    package var menu: String {
        say(
            "1 permission  2 apps  3 hours  4 start  5 stop  6 status  q quit",
            "1 권한  2 앱  3 시간  4 시작  5 중지  6 상태  q 끝"
        )
    }

    package var askPermission: String {
        say("Screen Time 101 wants to restrict apps. Ask now?", "Screen Time 101이 앱 사용을 제한하려고 합니다. 지금 물어볼까요?")
    }

    package var started: String { say("Monitoring has started.", "모니터링을 시작했어요.") }
}
