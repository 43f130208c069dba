import STContracts
import STPlatform

/// Parses the expectations of a scenario.
struct ExpectationReader {
    static let methods = [
        "intervalDidStart", "intervalDidEnd", "eventDidReachThreshold", "intervalWillStartWarning",
        "intervalWillEndWarning", "eventWillReachThresholdWarning",
    ]
    private static let shieldKinds = ["shielded", "not_shielded", "shield_shown", "no_shield_shown", "store"]
    private static let kinds =
        ["callback", "no_callback", "notification", "no_notification", "used", "ledger"] + shieldKinds
    /// The name for viewing a shield. Its presence is `active`, but it does not count as use.
    private static let shieldedPresence = "shielded"
    static let presences = Presence.known + [shieldedPresence]

    let people: ScenarioPeople

    func expectation(_ value: JSONValue, _ path: String) throws -> ScenarioExpectation {
        let fields = try ScenarioFields(value, path: path, what: "An expectation")
        try fields.allow(
            Self.kinds + [
                "at", "from", "to", "zone", "times", "app", "member", "activity", "event", "site", "presence",
                "by", "setting", "empty",
            ]
        )
        let named = Self.kinds.filter { fields.has($0) }
        guard named.count == 1, let word = named.first else {
            let list = Self.kinds.joined(separator: ", ")
            throw Problem(
                "scenario.bad_expectation",
                "An expectation is one of \(list, "kinds").",
                key: "scenario.bad_expectation.is-one-of",
                field: path
            )
        }
        let zone = try fields.text("zone")
        if let zone { _ = try ScenarioFields.zone(zone, fields.pointer("zone")) }
        let isNone = word.hasPrefix("no_")
        return ScenarioExpectation(
            kind: try kind(word, fields),
            at: try moment("at", fields),
            from: try moment("from", fields),
            to: try moment("to", fields),
            zone: zone,
            times: isNone ? 0 : try fields.count("times", 0...1_000_000),
            path: path
        )
    }

    private func kind(_ word: String, _ fields: ScenarioFields) throws -> ScenarioExpectation.Kind {
        switch word {
        case "callback", "no_callback":
            return .callback(
                .init(
                    method: try method(try fields.text(word) ?? "", fields.pointer(word)),
                    app: try fields.text("app"),
                    member: try people.member(fields),
                    activity: try fields.text("activity"),
                    event: try fields.text("event")
                )
            )
        case "notification", "no_notification":
            return .notification(
                text: try fields.text(word) ?? "",
                app: try fields.text("app"),
                member: try people.member(fields)
            )
        case "used":
            return .used(
                length: try fields.duration("used") ?? .zero,
                app: try fields.text("app"),
                member: try people.member(fields),
                activity: try fields.required("activity", "Name the activity, or the rule."),
                event: try fields.text("event") ?? ""
            )
        case _ where Self.shieldKinds.contains(word): return try shieldKind(word, fields)
        default:
            let text = try fields.text("presence") ?? Presence.active.rawValue
            let isShielded = text == Self.shieldedPresence
            guard let presence = isShielded ? .active : Presence(rawValue: text), presence != .unknown else {
                let list = Self.presences.joined(separator: ", ")
                throw Problem(
                    "scenario.bad_value",
                    "`presence` must be one of \(list, "presences").",
                    key: "scenario.bad_value.presence-is-one-of",
                    field: fields.pointer("presence")
                )
            }
            return .ledger(
                length: try fields.duration("ledger") ?? .zero,
                member: try people.member(fields),
                app: try fields.text("app"),
                site: try fields.text("site"),
                presence: presence,
                isShielded: isShielded
            )
        }
    }

    private func method(_ name: String, _ path: String) throws -> String {
        guard !Self.methods.contains(name) else { return name }
        let list = Self.methods.joined(separator: ", ")
        throw Problem(
            "scenario.unknown_callback",
            text: TextFormat.closest(to: name, in: Self.methods).map {
                Message(
                    "scenario.unknown_callback.did-you-mean",
                    """
                    There is no callback \(name, "name"). Did you mean \($0, "near")? Valid callbacks: \
                    \(list, "callbacks").
                    """
                )
            }
                ?? Message(
                    "scenario.unknown_callback.there-are",
                    "There is no callback \(name, "name"). Valid callbacks: \(list, "callbacks")."
                ),
            field: path
        )
    }

    /// Parses a moment with a date. A time of day alone would be ambiguous.
    private func moment(_ name: String, _ fields: ScenarioFields) throws -> CivilText? {
        guard let civil = try fields.civilTime(name) else { return nil }
        guard case .moment = civil else {
            throw Problem(
                "scenario.bad_time",
                "An expectation needs a day and a time, such as 2026-10-25 02:30.",
                field: fields.pointer(name)
            )
        }
        return civil
    }

    // MARK: - Shields and stores

    private func shieldKind(_ word: String, _ fields: ScenarioFields) throws -> ScenarioExpectation.Kind {
        switch word {
        case "shielded": return .shielded(try shield(word, fields), true)
        case "not_shielded": return .shielded(try shield(word, fields), false)
        case "store": return .store(try store(fields))
        default: return .shieldShown(try shield(word, fields))
        }
    }

    private func shield(_ word: String, _ fields: ScenarioFields) throws -> ScenarioExpectation.Shield {
        let item = try ScenarioFields.subject(try fields.text(word) ?? "", fields.pointer(word))
        let site = try fields.text("site")
        guard site == nil || item.kind == .application else {
            throw Problem(
                "scenario.bad_subject",
                """
                Name the app in which the site is open: {"\(word, "word")": "firefox", "site": \
                "example.org"}.
                """,
                field: fields.pointer("site")
            )
        }
        return .init(item: item, site: site, member: try people.member(fields), by: try fields.text("by"))
    }

    /// Parses the name of an app's store, or of a rule, whose store has the same name.
    private func store(_ fields: ScenarioFields) throws -> ScenarioExpectation.Store {
        let text = try fields.text("store") ?? ""
        let setting = try fields.text("setting")
        let isEmpty = try fields.bool("empty") ?? false
        guard setting != nil || isEmpty else {
            throw Problem(
                "scenario.missing_field",
                "Add what the store is expected to contain: a setting, or \"empty\": true.",
                field: fields.pointer("setting")
            )
        }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty }) else {
            throw Problem(
                "scenario.bad_subject",
                """
                Write the store of an app as the app and the name of the store: worklog/gaming. The store of \
                a rule has the name of the rule.
                """,
                key: "scenario.bad_subject.write-a-store",
                field: fields.pointer("store")
            )
        }
        return .init(
            app: parts.count == 2 ? String(parts[0]) : nil,
            name: String(parts[parts.count - 1]),
            member: try people.member(fields),
            setting: setting,
            isEmpty: isEmpty
        )
    }
}
