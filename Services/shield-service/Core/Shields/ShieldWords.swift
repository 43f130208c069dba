import STContracts
import STDomain
import STPlatform

/// The look of a shield whose app has none of its own, or does not give it in time.
enum BuiltInLook {
    private static let hourglass = ShieldIcon(kind: .system, name: "hourglass")
    /// Borderless, so it stands on the background itself.
    private static let link = ShieldColor(light: "#0A62DBFF", dark: "#6CA8FFFF")

    static func make(
        _ name: String,
        icon: ShieldIcon? = nil,
        by author: ShieldWords.Author,
        says: String? = nil,
        opens: String? = nil,
        asked: String? = nil,
        offers: [MoreOffer] = [],
        _ words: ShieldWords
    ) -> ShieldLook {
        // A person's own words stand by themselves, and first.
        let subtitle =
            (says.map { $0 + "\n" } ?? "") + words.subtitle(by: author, opens: opens)
            + (asked ?? "")
        return ShieldLook(
            blur: "systemThickMaterial",
            icon: icon ?? hourglass,
            title: ShieldText(text: words.title(name), color: SystemLook.label),
            subtitle: ShieldText(text: subtitle, color: SystemLook.secondaryLabel),
            primary: ShieldText(text: words.close, color: SystemLook.onButton),
            primaryBackground: SystemLook.button,
            // Asking twice for the same is asking once.
            secondary: asked == nil ? ShieldText(text: words.askForMore, color: link) : nil,
            submenu: asked == nil ? offers.map(words.offer) : []
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
        look.icon = look.icon ?? hourglass
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

    /// `opens`: the moment before which it does not open.
    ///
    /// Not when it opens: another rule may begin by then, and only the first end of each is known.
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

    /// `1 h 30 min`, `1시간 30분`.
    func duration(ms: Int64) -> String {
        TextFormat.duration(ms: ms, in: language)
    }

    /// Behind the subtitle, where more time is asked for.
    func asked(_ request: MoreTime, _ moments: MomentWords) -> String {
        let (time, state) = (duration(ms: request.durationMs), request.view.standing(moments))
        return say(" \(request.name), \(time) more: \(state).", " \(request.name), \(time) 더: \(state).")
    }

    var close: String { say("OK", "확인") }

    var askForMore: String { say("Ask for more time", "시간 더 요청하기") }

    func offer(_ offer: MoreOffer) -> String {
        switch offer {
        case .minute: say("One more minute", "1분만 더")
        case .quarter, .unknown: say("15 minutes", "15분")
        case .hour: say("1 hour", "1시간")
        case .day: say("The rest of the day", "오늘 하루")
        }
    }

    private func say(_ english: String, _ korean: String) -> String { language.pick(english, korean) }
}
