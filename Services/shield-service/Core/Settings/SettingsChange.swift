import STContracts
import STDomain
import STPlatform

/// A parsed `settings.set` request, before its things are looked up.
///
/// The route sends `tokens` to auth-service. `apply` then puts the values into the store with the reply.
struct SettingsChange: Sendable {
    /// A thing by token or by name, and the field of the request that contains it.
    struct SettingTarget: Sendable {
        var token: String?
        var id: String?
        var field: String
    }

    enum Value: Sendable {
        /// Removes the setting.
        case empty
        case plain(SettingValue)
        case things([SettingTarget])
        case policy(CategoryPolicy.Reach, categories: [SettingTarget], except: [SettingTarget])
        case filter(WebFilter.Reach, domains: [SettingTarget], except: [SettingTarget])

        /// All things, in the order in which `TokenLookup` takes the replies.
        fileprivate var targets: [SettingTarget] {
            switch self {
            case .empty, .plain: []
            case .things(let things): things
            case .policy(_, let categories, let except): categories + except
            case .filter(_, let domains, let except): domains + except
            }
        }
    }

    let request: SettingsSet.Request
    /// The settings, sorted by name so that tokens are sent and answered in one order.
    private var settings: [(key: SettingKey, value: Value)] = []
    /// The new state of the store's own switch. `nil` leaves the switch unchanged.
    private var isActive: Bool?

    var tokens: [String] { settings.flatMap { $0.value.targets.compactMap(\.token) } }

    /// Throws if the request contains an unknown setting. Only the stores of rules accept notes on shields.
    init(_ request: SettingsSet.Request) throws {
        self.request = request
        let isOfRules = request.app == BuiltInRules.app
        for (name, json) in request.settings.sorted(by: { $0.key < $1.key }) {
            let field = "/settings/\(name.prefix(SettingLimits.nameBytesMax))"
            if name == SettingKey.isActive {
                guard case .bool(let isActive) = json == .null ? true : json else {
                    throw Self.wrong(name, expected: Self.trueOrFalse, field: field)
                }
                self.isActive = isActive
                continue
            }
            guard let key = isOfRules ? SettingKey.stored(name) : SettingKey.named(name) else {
                throw Self.unknown(name, field)
            }
            settings.append((key, try Self.value(json, key: key, field: field)))
        }
    }

    /// Applies the settings to a store. `items` are the meanings of the tokens from auth-service, in the order of `tokens`.
    ///
    /// The store of a rule omits invalid names, because shield-service cannot refuse a published decision.
    func apply(to store: inout NamedStore, _ items: [TokenItem]) throws {
        var lookup = TokenLookup(items, leavesOut: request.app == BuiltInRules.app)
        for (key, value) in settings { store.values[key] = try lookup.value(value, of: key) }
        for (name, json) in request.settings { store.settings[name] = json == .null ? nil : json }
        if let isActive { store.isActive = isActive }
    }

    // MARK: - Reading

    private static func value(_ json: JSONValue, key: SettingKey, field: String) throws
        -> Value
    {
        if json == .null { return .empty }
        switch key.kind {
        case .bool:
            guard case .bool(let value) = json else {
                throw wrong(key.name, expected: trueOrFalse, field: field)
            }
            return .plain(.bool(value))
        case .integer(let bounds):
            let range = Message(
                "settings.expected-whole-number",
                "a whole number from \(bounds.lowerBound, "least") to \(bounds.upperBound, "most")"
            )
            guard case .integer(let value) = json else {
                throw wrong(key.name, expected: range, field: field)
            }
            guard bounds.contains(value) else {
                throw Problem(
                    "settings.out_of_bounds",
                    "\(key.name, "name") must be \(range, "range"), not \(value, "value").",
                    field: field
                )
            }
            return .plain(.integer(value))
        case .cookies:
            let all = CookiePolicy.allCases.map(\.rawValue).joined(separator: ", ")
            guard let policy = json.string.flatMap(CookiePolicy.init) else {
                throw wrong(
                    key.name,
                    expected: Message("settings.expected-one-of", "one of \(all, "values")"),
                    field: field
                )
            }
            return .plain(.cookies(policy))
        case .apps, .domains: return .things(try things(json, key: key, field: field))
        case .appPolicy, .domainPolicy: return try policy(json, key: key, field: field)
        case .filter: return try filter(json, key: key, field: field)
        case .note: return .plain(.note(try note(json, key: key, field: field)))
        }
    }

    private static func policy(_ json: JSONValue, key: SettingKey, field: String) throws
        -> Value
    {
        let members = try members(json, known: ["policy", "categories", "except"], key: key, field: field)
        guard let reach = members["policy"]?.string.flatMap(CategoryPolicy.Reach.init) else {
            throw wrongPolicy(
                key,
                expected: Message("settings.expected-policy", "none, specific or all"),
                field: field
            )
        }
        let categories = try things(members["categories"] ?? [], key: key, field: "\(field)/categories")
        let except = try things(members["except"] ?? [], key: key, field: "\(field)/except")
        guard reach == .specific || categories.isEmpty else {
            throw redundantPart(key, part: "categories", reach: reach.rawValue, field: field)
        }
        guard reach != .none || except.isEmpty else {
            throw redundantPart(key, part: "except", reach: reach.rawValue, field: field)
        }
        return .policy(reach, categories: categories, except: except)
    }

    private static func filter(_ json: JSONValue, key: SettingKey, field: String) throws
        -> Value
    {
        let members = try members(json, known: ["policy", "domains", "except"], key: key, field: field)
        guard let reach = members["policy"]?.string.flatMap(WebFilter.Reach.init) else {
            throw wrongPolicy(
                key,
                expected: Message("settings.expected-filter-policy", "none, specific, auto or all"),
                field: field
            )
        }
        let domains = try things(members["domains"] ?? [], key: key, field: "\(field)/domains")
        let except = try things(members["except"] ?? [], key: key, field: "\(field)/except")
        guard reach == .specific || reach == .auto || domains.isEmpty else {
            throw redundantPart(key, part: "domains", reach: reach.rawValue, field: field)
        }
        guard reach == .auto || reach == .all || except.isEmpty else {
            throw redundantPart(key, part: "except", reach: reach.rawValue, field: field)
        }
        return .filter(reach, domains: domains, except: except)
    }

    private static func note(_ json: JSONValue, key: SettingKey, field: String) throws -> ShieldNote {
        guard let note = ShieldNote(json) else {
            let expected = Message(
                "settings.expected-note",
                """
                an object with a string `rule` and, optionally, a string `says` and a whole number \
                `opens_ms`
                """
            )
            throw wrong(key.name, expected: expected, field: field)
        }
        return note
    }

    private static func members(
        _ json: JSONValue,
        known: Set<String>,
        key: SettingKey,
        field: String
    ) throws -> [String: JSONValue] {
        guard case .object(let members) = json else {
            let fields = known.sorted().joined(separator: ", ")
            let expected = Message("settings.expected-object", "an object with \(fields, "fields")")
            throw wrong(key.name, expected: expected, field: field)
        }
        if let other = members.keys.filter({ !known.contains($0) }).min() {
            let expected = Message(
                "settings.expected-without-field",
                "an object without `\(other.prefix(SettingLimits.nameBytesMax), "field")`"
            )
            throw wrong(key.name, expected: expected, field: field)
        }
        return members
    }

    private static func things(_ json: JSONValue, key: SettingKey, field: String) throws
        -> [SettingTarget]
    {
        guard case .array(let elements) = json else {
            throw wrong(key.name, expected: Message("settings.expected-list", "a list"), field: field)
        }
        guard elements.count <= SettingKey.itemsMax else {
            throw Problem(
                "settings.too_many_tokens",
                """
                \(key.name, "name") accepts at most \(SettingKey.itemsMax, "most") entries in one list, but \
                this list has \(elements.count, "count"). Shield a category, or use another store for the \
                rest.
                """,
                field: field,
                details: ["limit": String(SettingKey.itemsMax)]
            )
        }
        return try elements.enumerated().map { index, element in
            let place = "\(field)/\(index)"
            guard case .object(let members) = element, members.count == 1,
                let text = (members["token"] ?? members["id"])?.string
            else {
                let expected = Message(
                    "settings.expected-token-or-id",
                    "an object with a token, or with an id"
                )
                throw wrong(
                    Message("settings.element-of", "An element of \(key.name, "setting")"),
                    expected: expected,
                    field: place
                )
            }
            return members["token"] != nil
                ? SettingTarget(token: text, field: place) : SettingTarget(id: text, field: place)
        }
    }

    // MARK: - What is wrong

    private static let trueOrFalse = Message("settings.expected-true-or-false", "true or false")

    private static func wrong(_ setting: String, expected: Message, field: String) -> Problem {
        wrong(Message(verbatim: setting), expected: expected, field: field)
    }

    private static func wrongPolicy(_ key: SettingKey, expected: Message, field: String) -> Problem {
        let policy = Message("settings.policy-of", "The policy of \(key.name, "setting")")
        return wrong(policy, expected: expected, field: "\(field)/policy")
    }

    private static func wrong(_ what: Message, expected: Message, field: String) -> Problem {
        Problem("settings.wrong_type", "\(what, "what") has to be \(expected, "expected").", field: field)
    }

    private static func redundantPart(_ key: SettingKey, part: String, reach: String, field: String)
        -> Problem
    {
        Problem(
            "settings.useless_part",
            """
            \(key.name, "name") with the policy \(reach, "reach") has no `\(part, "part")`; leave it out, \
            or choose another policy.
            """,
            field: "\(field)/\(part)"
        )
    }

    private static func unknown(_ name: String, _ field: String) -> Problem {
        let known = SettingKey.all.map(\.name) + [SettingKey.isActive]
        let short = String(name.prefix(SettingLimits.nameBytesMax))
        return Problem(
            "settings.unknown",
            text: TextFormat.closest(to: short, in: known).map {
                Message(
                    "settings.unknown.did-you-mean",
                    "There is no setting “\(short, "setting")”. Did you mean \($0, "near")?"
                )
            } ?? Message("settings.unknown.why", "There is no setting “\(short, "setting")”."),
            field: field
        )
    }
}

/// Finds the canonical names of things. The names for tokens come from auth-service's reply.
struct TokenLookup {
    /// The items in the order of the tokens that were sent.
    private var answers: ArraySlice<TokenItem>
    private let skipsUnknown: Bool

    init(_ answers: [TokenItem], leavesOut: Bool = false) {
        self.answers = answers[...]
        self.skipsUnknown = leavesOut
    }

    /// Returns the value with canonical names. Returns `nil` if the setting is to be removed.
    mutating func value(_ value: SettingsChange.Value, of key: SettingKey) throws -> SettingValue? {
        switch value {
        case .empty: return nil
        case .plain(let value): return value
        case .things(let things):
            return .names(try names(things, key.kind == .apps ? .application : .domain))
        case .policy(let reach, let categories, let except):
            let policy = CategoryPolicy(
                reach,
                categories: try names(categories, .category),
                except: try names(
                    except,
                    key.kind == .appPolicy ? .application : .domain,
                    isExcept: true
                )
            )
            return .policy(policy)
        case .filter(let reach, let domains, let except):
            let filter = WebFilter(
                reach,
                domains: try names(domains, .domain),
                except: try names(except, .domain, isExcept: true)
            )
            try refuseSelfExempt(filter, domains: domains, except: except)
            return .filter(filter)
        }
    }

    private mutating func names(
        _ things: [SettingsChange.SettingTarget],
        _ kind: TokenKind,
        isExcept: Bool = false
    ) throws -> Set<String> {
        var names: Set<String> = []
        for thing in things {
            do { names.insert(try name(thing, kind: kind, isExcept: isExcept)) } catch {
                if !skipsUnknown { throw error }
            }
        }
        return names
    }

    private mutating func name(_ thing: SettingsChange.SettingTarget, kind: TokenKind, isExcept: Bool) throws
        -> String
    {
        let item: TokenItem
        if thing.token != nil {
            guard let answer = answers.popFirst() else {
                throw Problem(
                    "token.unknown",
                    "auth-service did not report what this token represents.",
                    key: "token.unknown.auth-service-has",
                    field: thing.field
                )
            }
            item = answer
        } else {
            item = TokenItem(kind: kind, id: thing.id ?? "")
        }
        // An app can have the name of a category, but a policy that exempts `games` never means an app of that name.
        if isExcept, item.kind == .category || Category(rawValue: item.id) != nil {
            throw Problem(
                "settings.exempts_itself",
                """
                A category policy cannot exempt the category \(item.id, "id"). Remove it from `categories` \
                instead. `except` accepts only individual apps or sites.
                """,
                field: thing.field
            )
        }
        guard item.kind == kind else {
            throw Problem(
                "settings.wrong_kind",
                """
                This is \(Self.article(item.kind), "article"), but \(Self.article(kind), "article2") is \
                required here.
                """,
                field: thing.field
            )
        }
        switch kind {
        case .category: return try Self.category(item.id, thing.field)
        case .domain: return try DomainName.checked(item.id, field: thing.field)
        case .application, .unknown:
            try SettingsCheck.name(item.id, thing.field, max: SettingLimits.idBytesMax)
            return item.id
        }
    }

    static func category(_ id: String, _ field: String) throws -> String {
        if Category(rawValue: id) != nil { return id }
        throw ItemCheck.unknownCategory(String(id.prefix(SettingLimits.nameBytesMax)), field)
    }

    /// Throws if an exception, with all its subdomains, covers a site that the filter names.
    private func refuseSelfExempt(
        _ filter: WebFilter,
        domains: [SettingsChange.SettingTarget],
        except: [SettingsChange.SettingTarget]
    ) throws {
        for domain in filter.domains.sorted() {
            let lifted = DomainName.first(for: domain) { filter.except.contains($0) ? $0 : nil }
            guard let lifted else { continue }
            throw Problem(
                "settings.exempts_itself",
                """
                The filter contains \(domain, "domain"), but its exception \(lifted, "lifted") covers that \
                site. Remove one of them.
                """,
                key: "settings.exempts_itself.the-filter-names",
                field: except.first?.field
            )
        }
    }

    private static func article(_ kind: TokenKind) -> Message {
        switch kind {
        case .application: Message("settings.kind-app", "an app")
        case .category: Message("settings.kind-category", "a category")
        case .domain: Message("settings.kind-site", "a site")
        case .unknown: Message("settings.kind-unknown", "something else")
        }
    }
}
