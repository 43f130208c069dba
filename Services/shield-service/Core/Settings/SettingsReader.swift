import STContracts
import STDomain
import STPlatform

/// Reads settings as they are sent, and refuses what none of them is.
enum SettingsReader {
    struct Asked {
        /// By name, so that tokens are asked for and answered in one order.
        var settings: [AskedSetting] = []
        /// Nil leaves the store's own switch as it is.
        var isActive: Bool?

        var tokens: [String] { settings.flatMap(\.things).compactMap(\.token) }
    }

    /// What a store of this app may hold: words on shields are told by rules alone.
    static func read(_ settings: [String: JSONValue], of app: String) throws -> Asked {
        let isOfRules = app == AppBook.rules
        var asked = Asked()
        for (name, json) in settings.sorted(by: { $0.key < $1.key }) {
            let field = "/settings/\(name.prefix(SettingLimits.nameBytesMax))"
            if name == SettingKey.isActive {
                guard case .bool(let isActive) = json == .null ? true : json else {
                    throw wrong(name, "true or false", field)
                }
                asked.isActive = isActive
                continue
            }
            guard let key = isOfRules ? SettingKey.kept(name) : SettingKey.named(name) else {
                throw unknown(name, field)
            }
            asked.settings.append(AskedSetting(key: key, value: try value(json, key, field)))
        }
        return asked
    }

    private static func value(_ json: JSONValue, _ key: SettingKey, _ field: String) throws
        -> AskedSetting.Value
    {
        if json == .null { return .nothing }
        switch key.kind {
        case .bool:
            guard case .bool(let value) = json else { throw wrong(key.name, "true or false", field) }
            return .plain(.bool(value))
        case .integer(let bounds):
            let range = "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
            guard case .integer(let value) = json else { throw wrong(key.name, range, field) }
            guard bounds.contains(value) else {
                throw Problem(
                    "settings.out_of_bounds",
                    "\(key.name) is \(range); \(value) is not.",
                    field: field
                )
            }
            return .plain(.integer(value))
        case .cookies:
            let all = CookiePolicy.allCases.map(\.rawValue).joined(separator: ", ")
            guard let policy = json.string.flatMap(CookiePolicy.init) else {
                throw wrong(key.name, "one of \(all)", field)
            }
            return .plain(.cookies(policy))
        case .apps, .domains: return .things(try things(json, key, field))
        case .appPolicy, .domainPolicy: return try policy(json, key, field)
        case .filter: return try filter(json, key, field)
        case .note: return .plain(.note(try note(json, key, field)))
        }
    }

    private static func policy(_ json: JSONValue, _ key: SettingKey, _ field: String) throws
        -> AskedSetting.Value
    {
        let members = try members(json, ["policy", "categories", "except"], key, field)
        guard let reach = members["policy"]?.string.flatMap(CategoryPolicy.Reach.init) else {
            throw wrong("policy of \(key.name)", "none, specific or all", "\(field)/policy")
        }
        let categories = try things(members["categories"] ?? [], key, "\(field)/categories")
        let except = try things(members["except"] ?? [], key, "\(field)/except")
        guard reach == .specific || categories.isEmpty else {
            throw useless(key, "categories", reach.rawValue, field)
        }
        guard reach != .none || except.isEmpty else { throw useless(key, "except", reach.rawValue, field) }
        return .policy(reach, categories: categories, except: except)
    }

    private static func filter(_ json: JSONValue, _ key: SettingKey, _ field: String) throws
        -> AskedSetting.Value
    {
        let members = try members(json, ["policy", "domains", "except"], key, field)
        guard let reach = members["policy"]?.string.flatMap(WebFilter.Reach.init) else {
            throw wrong("policy of \(key.name)", "none, specific, auto or all", "\(field)/policy")
        }
        let domains = try things(members["domains"] ?? [], key, "\(field)/domains")
        let except = try things(members["except"] ?? [], key, "\(field)/except")
        guard reach == .specific || reach == .auto || domains.isEmpty else {
            throw useless(key, "domains", reach.rawValue, field)
        }
        guard reach == .auto || reach == .all || except.isEmpty else {
            throw useless(key, "except", reach.rawValue, field)
        }
        return .filter(reach, domains: domains, except: except)
    }

    private static func note(_ json: JSONValue, _ key: SettingKey, _ field: String) throws -> ShieldNote {
        _ = try members(json, ShieldNote.members, key, field)
        guard let note = ShieldNote(json) else {
            throw wrong(key.name, "the text `rule`, with a text `says` and a whole number `opens_ms`", field)
        }
        let texts = [
            ("rule", note.rule, ShieldNote.ruleBytesMax), ("says", note.says ?? " ", ShieldNote.saysBytesMax),
        ]
        for (name, text, max) in texts where !(1...max).contains(text.utf8.count) {
            throw Problem(
                "settings.out_of_bounds",
                "`\(name)` of \(key.name) has 1 to \(max) bytes; this has \(text.utf8.count).",
                field: "\(field)/\(name)"
            )
        }
        if let opensMs = note.opensMs, !(0..<ZoneRules.lastMs).contains(opensMs) {
            throw Problem(
                "settings.out_of_bounds",
                "`opens_ms` of \(key.name) is a moment before the year 2200; \(opensMs) is not.",
                field: "\(field)/opens_ms"
            )
        }
        return note
    }

    private static func members(
        _ json: JSONValue,
        _ known: Set<String>,
        _ key: SettingKey,
        _ field: String
    ) throws -> [String: JSONValue] {
        guard case .object(let members) = json else {
            throw wrong(key.name, "an object with \(known.sorted().joined(separator: ", "))", field)
        }
        if let other = members.keys.filter({ !known.contains($0) }).min() {
            throw wrong("\(other.prefix(SettingLimits.nameBytesMax)) of \(key.name)", "nothing known", field)
        }
        return members
    }

    private static func things(_ json: JSONValue, _ key: SettingKey, _ field: String) throws
        -> [AskedSetting.Thing]
    {
        guard case .array(let elements) = json else { throw wrong(key.name, "a list", field) }
        guard elements.count <= SettingKey.thingsMax else {
            throw Problem(
                "settings.too_many_tokens",
                "\(key.name) takes at most \(SettingKey.thingsMax) in one list, and these are "
                    + "\(elements.count). Shield a category, or use another store for the rest.",
                field: field,
                details: ["limit": String(SettingKey.thingsMax)]
            )
        }
        return try elements.enumerated().map { index, element in
            let place = "\(field)/\(index)"
            guard case .object(let members) = element, members.count == 1,
                let text = (members["token"] ?? members["id"])?.string
            else { throw wrong("What \(key.name) names", "an object with a token, or with an id", place) }
            return members["token"] != nil
                ? AskedSetting.Thing(token: text, field: place) : AskedSetting.Thing(id: text, field: place)
        }
    }

    // MARK: - What is wrong

    private static func wrong(_ what: String, _ expected: String, _ field: String) -> Problem {
        Problem("settings.wrong_type", "\(what) has to be \(expected).", field: field)
    }

    private static func useless(_ key: SettingKey, _ part: String, _ reach: String, _ field: String)
        -> Problem
    {
        Problem(
            "settings.useless_part",
            "\(key.name) with the policy \(reach) has no `\(part)`; leave it out, or choose another policy.",
            field: "\(field)/\(part)"
        )
    }

    private static func unknown(_ name: String, _ field: String) -> Problem {
        let known = SettingKey.all.map(\.name) + [SettingKey.isActive]
        let short = String(name.prefix(SettingLimits.nameBytesMax))
        let nearest = TextFormat.closest(to: short, in: known).map { " Did you mean \($0)?" } ?? ""
        return Problem("settings.unknown", "There is no setting \(short).\(nearest)", field: field)
    }
}
