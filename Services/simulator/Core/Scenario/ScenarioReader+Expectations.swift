import STContracts
import STPlatform

/// What must come of it.
extension ScenarioReader {
    static let methods = [
        "intervalDidStart", "intervalDidEnd", "eventDidReachThreshold", "intervalWillStartWarning",
        "intervalWillEndWarning", "eventWillReachThresholdWarning",
    ]
    private static let kinds =
        ["callback", "no_callback", "notification", "no_notification", "used", "ledger"] + shieldKinds
    /// Whose presence is `active` and who looks at a shield: it is no use, and has a word of its own here.
    static let shieldedPresence = "shielded"

    func expectation(_ value: JSONValue, _ path: String) throws -> ScenarioExpectation {
        let fields = try ScenarioFields(value, path, "An expectation")
        try fields.allow(
            Self.kinds + [
                "at", "from", "to", "zone", "times", "app", "member", "activity", "event", "site", "presence",
                "by", "setting", "empty",
            ]
        )
        let named = Self.kinds.filter { fields.has($0) }
        guard named.count == 1, let word = named.first else {
            throw Problem(
                "scenario.bad_expectation",
                "An expectation is one of \(Self.kinds.joined(separator: ", ")).",
                field: path
            )
        }
        let zone = try fields.text("zone")
        if let zone { _ = try Self.zone(zone, fields.place("zone")) }
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
                    method: try method(try fields.text(word) ?? "", fields.place(word)),
                    app: try fields.text("app"),
                    member: try member(fields),
                    activity: try fields.text("activity"),
                    event: try fields.text("event")
                )
            )
        case "notification", "no_notification":
            return .notification(
                text: try fields.text(word) ?? "",
                app: try fields.text("app"),
                member: try member(fields)
            )
        case "used":
            return .used(
                ms: try fields.duration("used") ?? 0,
                app: try fields.text("app"),
                member: try member(fields),
                activity: try fields.required("activity", "Name the activity, or the rule."),
                event: try fields.text("event") ?? ""
            )
        case _ where Self.shieldKinds.contains(word): return try shieldKind(word, fields)
        default:
            let text = try fields.text("presence") ?? Presence.active.rawValue
            let isShielded = text == Self.shieldedPresence
            guard let presence = isShielded ? .active : Presence(rawValue: text), presence != .unknown else {
                throw Problem(
                    "scenario.bad_value",
                    "presence is one of \(Self.presences.joined(separator: ", ")).",
                    field: fields.place("presence")
                )
            }
            return .ledger(
                ms: try fields.duration("ledger") ?? 0,
                member: try member(fields),
                app: try fields.text("app"),
                site: try fields.text("site"),
                presence: presence,
                isShielded: isShielded
            )
        }
    }

    static var presences: [String] { Presence.known + [shieldedPresence] }

    private func method(_ name: String, _ path: String) throws -> String {
        guard !Self.methods.contains(name) else { return name }
        let near = TextFormat.closest(to: name, in: Self.methods).map { " Did you mean \($0)?" } ?? ""
        throw Problem(
            "scenario.unknown_callback",
            "There is no callback \(name).\(near) There are: \(Self.methods.joined(separator: ", ")).",
            field: path
        )
    }

    /// A whole moment: after which one a time of day comes nobody could say here.
    private func moment(_ name: String, _ fields: ScenarioFields) throws -> CivilText? {
        guard let civil = try fields.civil(name) else { return nil }
        guard case .moment = civil else {
            throw Problem(
                "scenario.bad_time",
                "An expectation has a day and a time, such as 2026-10-25 02:30.",
                field: fields.place(name)
            )
        }
        return civil
    }
}
