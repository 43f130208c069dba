import STContracts
import STDomain
import STPlatform
import STTestKit
import Testing

@testable import STMonitorCore

/// A shield-service that a test plays itself: what the rules have asked of it so far.
final class ShieldDesk {
    let desk: RuleDesk
    /// As `member/rule`, what it shields in short.
    private(set) var stores: [String: String] = [:]
    private(set) var allowed: [String: [String]] = [:]
    /// Every request in its order: what was asked, and because of what.
    private(set) var asked: [String] = []
    private var settings: [String: SettingsGet.Reply] = [:]
    private var lists: [String: ShieldAllowedSet.Reply] = [:]
    private var keys: Set<String> = []
    private var told: Int64 = 0
    /// What it refuses for good.
    var refusal: Problem?

    init(language: String = "en") throws { desk = try RuleDesk(language: language) }

    /// A rule that shields.
    func add(_ spec: RuleSpec, say: String? = nil) throws {
        var spec = spec
        spec.then = spec.kind == .allow ? nil : .shield
        if let say { spec.say = say }
        try desk.add(spec)
    }

    /// A callback as DeliveryRunner makes it: what it asks is asked within it.
    func deliver(_ id: String, _ occurrence: ActivityOccurrence) throws {
        let reply = try desk.bench.deliver(id, occurrence)
        for ask in reply.shields { try take(ask) }
    }

    /// Does what RuleKeeper does until there is nothing to do any more.
    func keep() throws {
        while true {
            let next = try desk.bench.nextShield()
            if let doubts = next.doubts {
                #expect(try compare(doubts))
            } else if next.mustSettle {
                try desk.bench.settleShields()
            } else if let ask = next.ask {
                try take(ask)
            } else {
                return
            }
        }
    }

    /// What happens `meanwhile` is not in what is read; whether that was taken.
    @discardableResult
    func compare(_ doubts: Int64? = nil, meanwhile: () throws -> Void = {}) throws -> Bool {
        let lists = Array(lists.values)
        let stores = Array(settings.values)
        let answers = try desk.bench.nextShield().answers
        try meanwhile()
        return try desk.bench.compare(
            ActualShields(stores: stores, allowed: lists, doubts: doubts, answers: answers)
        )
    }

    /// The stream tells how each store of the only member stands.
    func tell() throws {
        for place in ["owner/firefox"] {
            let parts = place.split(separator: "/").map(String.init)
            let store = settings[place]
            var values = store?.settings ?? [:]
            let isActive = values.removeValue(forKey: "isActive")
            var apps: [String] = []
            if case .array(let items)? = values["shield.applications"] {
                apps = items.compactMap { $0["id"]?.string }
            }
            let note = values[SettingKey.note.name]
            told += 1
            let none = CategoryPolicyBody(reach: .none, categories: [], except: [])
            let body = PolicyStore(
                policy: told,
                app: BuiltInRules.app,
                member: parts[0],
                store: parts[1],
                version: store?.version ?? 0,
                isInForce: store != nil && isActive != .bool(false),
                shields: StoreShieldsBody(
                    apps: apps,
                    categories: none,
                    domains: [],
                    domainCategories: none,
                    blockedApps: [],
                    filter: WebFilterBody(reach: .none, domains: [], except: [])
                ),
                settings: note.map { [SettingKey.note.name: $0] } ?? [:],
                wallMs: 0
            )
            let event = try CoreBench<MonitorState>.event(PolicyStoreChanged.self, told, subject: "", body)
            try desk.bench.follow([event], subscription: 2)
        }
    }

    /// The request reaches shield-service, and its answer comes back unless it is lost.
    func take(_ ask: RuleShieldAsk, answers: Bool = true) throws {
        if refusal == nil, keys.insert(ask.key).inserted { perform(ask) }
        guard answers else { return }
        try desk.bench.shieldAnswered(ask.key, refusal)
    }

    /// Another program has changed a store.
    func tamper(_ place: String, _ settings: [String: JSONValue]?) {
        guard let settings else {
            self.settings[place] = nil
            stores[place] = nil
            return
        }
        let parts = place.split(separator: "/").map(String.init)
        self.settings[place] = SettingsGet.Reply(
            app: BuiltInRules.app,
            member: parts[0],
            store: parts[1],
            version: 9,
            settings: settings
        )
        stores[place] = Self.text(settings)
    }

    /// All of what a store holds.
    func setting(_ name: String, of place: String) -> JSONValue? { settings[place]?.settings[name] }

    func want(_ place: String) -> ShieldWant? { settings[place].map { .storing($0.settings) } }

    /// What a store says on its shields.
    func note(_ place: String) -> ShieldNote? {
        settings[place]?.settings[SettingKey.note.name].flatMap { ShieldNote($0) }
    }

    private func perform(_ ask: RuleShieldAsk) {
        let cause = ask.cause ?? "-"
        if let set = ask.set {
            let place = "\(set.member ?? "?")/\(set.store)"
            tamper(place, set.settings.filter { $0.value != .null })
            asked.append("set \(place) \(stores[place] ?? "") <- \(cause)")
        } else if let clear = ask.clear {
            let place = "\(clear.member ?? "?")/\(clear.store)"
            tamper(place, [:])
            asked.append("clear \(place) <- \(cause)")
        } else if let delete = ask.delete {
            for store in delete.stores { tamper("\(delete.member ?? "?")/\(store)", nil) }
            asked.append("delete \(delete.stores.joined(separator: " ")) <- \(cause)")
        } else if let allow = ask.allow, let member = allow.member {
            allowed[member] = allow.items.map(\.id)
            lists[member] = ShieldAllowedSet.Reply(policy: 1, member: member, items: allow.items)
            asked.append("allow \(member) \(allow.items.map(\.id).joined(separator: " "))")
        }
    }

    /// `apps a,b; categories social`, `all`, or `all but code`.
    private static func text(_ settings: [String: JSONValue]) -> String {
        func ids(_ value: JSONValue?) -> String {
            guard case .array(let items) = value else { return "" }
            return items.compactMap { $0["id"]?.string }.joined(separator: ",")
        }
        var parts: [String] = []
        if let apps = settings["shield.applications"] { parts.append("apps \(ids(apps))") }
        if let sites = settings["shield.webDomains"] { parts.append("sites \(ids(sites))") }
        if let policy = settings["shield.applicationCategories"] {
            let isAll = policy["policy"]?.string == "all"
            let open = ids(policy["except"])
            parts.append(
                isAll ? open.isEmpty ? "all" : "all but \(open)" : "categories \(ids(policy["categories"]))"
            )
            // Of apps and of sites alike.
            if settings["shield.webDomainCategories"] != policy { parts.append("apps only") }
        }
        return parts.joined(separator: "; ")
    }
}

extension RuleDesk {
    /// Of an interval of the rule's own activity: the whole day where nothing else is said.
    static func begun(
        _ activity: String,
        _ startMs: Int64 = RuleDesk.dayMs,
        _ endMs: Int64 = RuleDesk.nextMs,
        dueMs: Int64? = nil
    ) -> ActivityOccurrence {
        occurrence(activity, .intervalStarted, dueMs: dueMs ?? startMs, startMs: startMs, endMs: endMs)
    }

    static func ended(
        _ activity: String,
        _ startMs: Int64 = RuleDesk.dayMs,
        _ endMs: Int64 = RuleDesk.nextMs,
        dueMs: Int64? = nil
    ) -> ActivityOccurrence {
        occurrence(activity, .intervalEnded, dueMs: dueMs ?? endMs, startMs: startMs, endMs: endMs)
    }

    static func reached(_ activity: String, minutes: Int64 = 30, day: Int = 20) -> ActivityOccurrence {
        occurrence(
            activity,
            .thresholdReached,
            event: "used",
            dueMs: wallMs(day: day, hour: 12),
            countedMs: minutes * 60_000,
            thresholdMs: minutes * 60_000,
            startMs: wallMs(day: day, hour: 0),
            endMs: wallMs(day: day + 1, hour: 0)
        )
    }
}
