import STContracts
import STPlatform

/// What must be shielded, and what a store must hold.
extension ScenarioReader {
    static let shieldKinds = ["shielded", "not_shielded", "shield_shown", "no_shield_shown", "store"]

    func shieldKind(_ word: String, _ fields: ScenarioFields) throws -> ScenarioExpectation.Kind {
        switch word {
        case "shielded": return .shielded(try shield(word, fields), true)
        case "not_shielded": return .shielded(try shield(word, fields), false)
        case "store": return .store(try store(fields))
        default: return .shieldShown(try shield(word, fields))
        }
    }

    private func shield(_ word: String, _ fields: ScenarioFields) throws -> ScenarioExpectation.Shield {
        let item = try subject(try fields.text(word) ?? "", fields.place(word))
        let site = try fields.text("site")
        guard site == nil || item.kind == .application else {
            throw Problem(
                "scenario.bad_subject",
                "A site goes with the app that it is open in: {\"\(word)\": \"firefox\", \"site\": \"example.org\"}.",
                field: fields.place("site")
            )
        }
        return .init(item: item, site: site, member: try member(fields), by: try fields.text("by"))
    }

    func subject(_ text: String, _ path: String) throws -> TokenItem {
        guard let item = SubjectText.item(text) else {
            throw Problem(
                "scenario.bad_subject",
                "“\(text)” is nothing that could be shielded. \(SubjectText.expectation)",
                field: path
            )
        }
        return item
    }

    /// A store of an app's, or of a rule, which is called as the rule is.
    private func store(_ fields: ScenarioFields) throws -> ScenarioExpectation.Store {
        let text = try fields.text("store") ?? ""
        let setting = try fields.text("setting")
        let isEmpty = try fields.bool("empty") ?? false
        guard setting != nil || isEmpty else {
            throw Problem(
                "scenario.missing_field",
                "Say what the store holds then: a setting, or \"empty\": true.",
                field: fields.place("setting")
            )
        }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty }) else {
            throw Problem(
                "scenario.bad_subject",
                "Write a store as the app and its name: worklog/gaming; that of a rule is called as the rule.",
                field: fields.place("store")
            )
        }
        return .init(
            app: parts.count == 2 ? String(parts[0]) : nil,
            name: String(parts[parts.count - 1]),
            member: try member(fields),
            setting: setting,
            isEmpty: isEmpty
        )
    }

    // MARK: - What somebody does with a shield

    func press(_ fields: ScenarioFields) throws -> ScenarioStep.Action {
        let text = try fields.text("press") ?? ""
        guard let button = ShieldButton(rawValue: text), button != .unknown else {
            throw Problem(
                "scenario.bad_value",
                "The buttons of a shield are \(ShieldButton.known.joined(separator: ", ")).",
                field: fields.place("press")
            )
        }
        return .press(button)
    }

    func moreTime(_ fields: ScenarioFields) throws -> ScenarioStep.Action {
        guard let forMs = try fields.length("for") else { throw missingFor(fields) }
        let items = try fields.texts("request").map { try subject($0, fields.place("request")) }
        return .request(items: items, forMs: forMs, because: try fields.text("because"))
    }

    func approval(_ fields: ScenarioFields) throws -> ScenarioStep.Action {
        let whose = try fields.text("approve") ?? ""
        try check(member: whose, fields.place("approve"))
        return .approve(whose: whose, forMs: try fields.length("for"))
    }
}
