import STContracts
import STDomain
import STPlatform

/// The look of a shield whose app has none of its own, or does not give it in time.
enum BuiltInLook {
    /// Borderless, so it stands on the background itself.
    private static let link = ShieldColor(light: "#0A62DBFF", dark: "#6CA8FFFF")

    static func make(
        _ name: String,
        by author: ShieldWords.Author,
        says: String? = nil,
        opens: String? = nil,
        asked: MoreTime? = nil,
        _ words: ShieldWords
    ) -> ShieldLook {
        // A person's own words stand by themselves, and first.
        let subtitle =
            (says.map { $0 + "\n" } ?? "") + words.subtitle(by: author, opens: opens)
            + (asked.map(words.asked) ?? "")
        return ShieldLook(
            blur: "systemThickMaterial",
            icon: ShieldIcon(kind: .system, name: "hourglass"),
            title: ShieldText(text: words.title(name), color: SystemLook.label),
            subtitle: ShieldText(text: subtitle, color: SystemLook.secondaryLabel),
            primary: ShieldText(text: words.close, color: SystemLook.onButton),
            primaryBackground: SystemLook.button,
            // Asking twice for the same is asking once.
            secondary: asked == nil ? ShieldText(text: words.askForMore, color: link) : nil,
            submenu: []
        )
    }

    /// What an app left to the system; a second button only where the app wants one.
    static func complete(_ look: ShieldLook, with own: ShieldLook) -> ShieldLook {
        var look = look
        if look.title == nil, look.subtitle == nil { look.subtitle = own.subtitle }
        look.title = look.title ?? own.title
        if look.primary == nil {
            look.primary = own.primary
            look.primaryBackground = look.primaryBackground ?? own.primaryBackground
        }
        look.icon = look.icon ?? own.icon
        return look
    }
}

/// What the system itself writes on a shield, in English and Korean.
struct ShieldWords {
    /// Who put a shield up.
    enum Author: Equatable {
        case app(String)
        case rule(String)
        case none
    }

    let language: WordLanguage

    init(_ language: String) { self.language = WordLanguage(of: language) }

    func title(_ name: String) -> String { say("\(name) is shielded", "\(name) 사용이 제한되었습니다") }

    /// `opens` as `OpeningWords` has it.
    func subtitle(by author: Author, opens: String?) -> String {
        let who =
            switch author {
            case .app(let app):
                say("\(app) has put a shield over it.", "\(app) 앱이 사용을 제한했습니다.")
            case .rule(let rule):
                say(
                    "Your rule “\(rule)” has put a shield over it.",
                    "“\(rule)” 규칙에 따라 사용이 제한되었습니다."
                )
            case .none: say("Nothing shields it at the moment.", "지금은 제한되어 있지 않습니다.")
            }
        guard let opens else { return who }
        return who + " " + say("It does not open before \(opens).", "\(opens) 전에는 열리지 않습니다.")
    }

    /// `1h30m`, `1시간 30분`.
    func duration(ms: Int64) -> String {
        TextFormat.duration(ms: ms, in: language)
    }

    /// Behind the subtitle.
    func asked(_ request: MoreTime) -> String {
        let minutes = max(1, request.durationMs / 60_000)
        return say(
            " \(minutes) more minutes are asked for (\(request.name)).",
            " \(minutes)분을 더 요청했습니다(\(request.name))."
        )
    }

    var close: String { say("OK", "확인") }

    var askForMore: String { say("Ask for more time", "시간 더 요청하기") }

    private func say(_ english: String, _ korean: String) -> String { language.pick(english, korean) }
}

/// The moment before which something does not open, as people say it: `tomorrow at 07:00`, `내일 07:00`.
///
/// Not when it opens: another rule may begin by then, and only the first end of each is known.
enum OpeningWords {
    /// Nil for what should have opened by now: when it will is unknown.
    static func of(_ opensMs: Int64, fromMs nowMs: Int64, zone: String, in language: WordLanguage) -> String?
    {
        guard opensMs > nowMs else { return nil }
        let days = LocalDay(zone: zone)
        // Wherever the clock stands then: where it is set at midnight, a day may begin at one o'clock.
        if opensMs == days.end(ofDayAtWallMs: nowMs) { return language.pick("midnight", "자정") }
        let time = clock(opensMs, zone: zone)
        let today = days.day(ofWallMs: nowMs).daysSinceEpoch
        let date = days.day(ofWallMs: opensMs)
        switch date.daysSinceEpoch - today {
        case ...0: return language.pick(time, time)
        case 1: return language.pick("tomorrow at \(time)", "내일 \(time)")
        // The same day of the next week has the same name as today.
        case 2...6:
            let day = CalendarNames.day(date.weekday, in: language)
            return language.pick("\(day) at \(time)", "\(day) \(time)")
        default:
            let month = CalendarNames.month(date.month, in: language)
            return language.pick("\(date.day) \(month) at \(time)", "\(month) \(date.day)일 \(time)")
        }
    }

    /// When the words for it change, in the time before it: at midnight, tomorrow becomes today.
    static func goodUntil(_ opensMs: Int64, fromMs nowMs: Int64, zone: String) -> Int64? {
        let midnight = LocalDay(zone: zone).end(ofDayAtWallMs: nowMs)
        return midnight < opensMs ? midnight : nil
    }

    /// `07:00`, as clocks of the zone show it.
    private static func clock(_ wallMs: Int64, zone: String) -> String {
        // As `LocalDay`: an unknown zone counts as UTC.
        let localMs = ZoneRules.of(zone)?.localMs(atMs: wallMs) ?? wallMs
        let minutes = (localMs / 60_000 % 1440 + 1440) % 1440
        return two(minutes / 60) + ":" + two(minutes % 60)
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : String(number) }
}
