import STContracts
import STDomain
import STPlatform

/// The system's look of a shield, used if the app has none or does not send it in time.
enum BuiltInAppearance {
    private static let hourglass = ShieldIcon(kind: .system, name: "hourglass")
    /// The colour of a borderless button, which is drawn directly on the background.
    private static let link = ShieldColor(light: "#0A62DBFF", dark: "#6CA8FFFF")
    /// A longer text would fill the shield as a title.
    private static let titleCharactersMax = 60

    static func make(
        _ name: String,
        icon: ShieldIcon? = nil,
        by author: ShieldStrings.Author,
        says: String? = nil,
        opens: String? = nil,
        asked: String? = nil,
        offers: [MoreOffer] = [],
        _ words: ShieldStrings
    ) -> ShieldAppearance {
        // A person's own text is the largest line. A long one is the first line below it.
        let isTitle = says.map { $0.count <= titleCharactersMax && !$0.contains("\n") } ?? false
        let title = (isTitle ? says : nil) ?? words.title(name, by: author)
        let subtitle =
            (isTitle ? "" : says.map { $0 + "\n" } ?? "") + words.subtitle(name, by: author, opens: opens)
            + (asked ?? "")
        return ShieldAppearance(
            blur: "systemThickMaterial",
            icon: icon ?? hourglass,
            title: ShieldText(text: title, color: SystemAppearance.label),
            subtitle: ShieldText(text: subtitle, color: SystemAppearance.secondaryLabel),
            primary: ShieldText(text: words.close, color: SystemAppearance.onButton),
            primaryBackground: SystemAppearance.button,
            // No button while a request waits, because the same request cannot be made twice.
            secondary: asked == nil ? ShieldText(text: words.askForMore, color: link) : nil,
            submenu: asked == nil ? offers.map(words.offer) : []
        )
    }

    /// Fills in the parts that an app left to the system. A second button exists only if the app has one.
    static func complete(_ look: ShieldAppearance, with own: ShieldAppearance) -> ShieldAppearance {
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

/// The system's own texts on a shield.
struct ShieldStrings {
    /// The owner of a shield.
    enum Author: Equatable {
        case app(String)
        case rule(String, ShieldReason?)
        case none
    }

    let language: DisplayLanguage

    init(_ language: String) { self.language = DisplayLanguage(of: language) }

    func title(_ name: String, by author: Author) -> String {
        guard case .rule(_, .break(_, let rest)) = author else {
            return say("shield.is-shielded", "\(name, "name") is shielded")
        }
        return say("shield.time-for-a-break", "Time for a break of \(duration(rest), "length")")
    }

    /// Returns the subtitle. `opens` is the moment before which the shield does not open.
    ///
    /// The real opening can be later: another rule may begin by then, and only the first end of each rule is known.
    func subtitle(_ name: String, by author: Author, opens: String?) -> String {
        let who =
            switch author {
            case .app(let app):
                say("shield.has-put-a-shield", "This shield comes from \(app, "app").")
            case .rule(let rule, let reason): text(reason, name: name, rule: rule)
            case .none: say("shield.nothing-shields-it-at", "Nothing shields it at the moment.")
            }
        guard let opens else { return who }
        return who + " "
            + say("shield.it-does-not-open", "The shield stays at least until \(opens, "opens").")
    }

    private func text(_ reason: ShieldReason?, name: String, rule: String) -> String {
        switch reason {
        case .limit(let used):
            say(
                "shield.limit",
                "You have used \(name, "name") for \(duration(used), "length") today, which is your limit."
            )
        case .sharedLimit(let used):
            say(
                "shield.shared-limit",
                "The time of your limit “\(rule, "rule")” is used up: \(duration(used), "length") today."
            )
        case .downtime(let hours): say("shield.downtime", "It is your downtime (\(hours, "hours")).")
        case .window(let hours): say("shield.window", "Allowed hours of \(name, "name"): \(hours, "hours").")
        case .break(let used, _):
            say(
                "shield.break",
                "You have used the computer for \(duration(used), "length") without a break."
            )
        case .session: say("shield.session", "Your focus session “\(rule, "rule")” shields \(name, "name").")
        case .goal: say("shield.goal", "\(name, "name") opens once you reach your goal “\(rule, "rule")”.")
        case nil: say("shield.your-rule-has-put", "This shield comes from your rule “\(rule, "rule")”.")
        }
    }

    /// Returns text such as `1 h 30 min`.
    func duration(_ length: Duration) -> String {
        TextFormat.duration(ms: length.ms, in: language)
    }

    /// Returns the text behind the subtitle while a request for more time waits.
    func asked(_ request: MoreTimeRequest, _ moments: MomentFormatter) -> String {
        let (time, state) = (duration(request.duration), request.view.statusText(moments))
        return say(
            "shield.more",
            " Request \(request.name, "name") for \(time, "time") more: \(state, "state")."
        )
    }

    var close: String { say("shield.ok", "OK") }

    var askForMore: String { say("shield.ask-for-more-time", "Ask for more time") }

    func offer(_ offer: MoreOffer) -> String {
        switch offer {
        case .minute: say("shield.one-more-minute", "One more minute")
        case .quarter, .unknown: say("shield.15-minutes", "15 minutes")
        case .hour: say("shield.1-hour", "1 hour")
        case .day: say("shield.the-rest-of-the", "The rest of the day")
        }
    }

    private func say(_ key: String, _ text: MessageText) -> String { language.text(key, text) }
}
