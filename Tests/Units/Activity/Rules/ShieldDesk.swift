import STContracts
import STDomain
import STPlatform
import STTestKit

@testable import STActivityCore

/// The decisions of the rules, as a follower of their stream receives them.
final class ShieldDesk {
    let desk: RuleDesk
    private var settings: [String: [String: JSONValue]] = [:]
    private var lists: [String: [String]] = [:]
    private var lines: [String] = []
    private var read = 0
    private var bench: ObjectIdentifier?

    init(language: String = "en") throws { desk = try RuleDesk(language: language) }

    /// Adds a rule that shields.
    func add(_ spec: RuleSpec, say: String? = nil) throws {
        var spec = spec
        spec.then = spec.kind == .allow ? nil : .shield
        if let say { spec.say = say }
        try desk.add(spec)
    }

    func deliver(_ id: String, _ occurrence: ActivityOccurrence) throws { try desk.deliver(id, occurrence) }

    /// Updates decisions that change with time.
    func keep() throws { try desk.bench.passRules() }

    /// A short description of the shields of each store, by `member/rule`.
    var stores: [String: String] {
        get throws {
            try follow()
            return settings.mapValues(Self.text)
        }
    }

    var allowed: [String: [String]] {
        get throws {
            try follow()
            return lists
        }
    }

    /// A short description of each decision, in order. Decisions about stores end with their cause.
    var decided: [String] {
        get throws {
            try follow()
            return lines
        }
    }

    /// One setting of a store.
    func setting(_ name: String, of place: String) throws -> JSONValue? {
        try follow()
        return settings[place]?[name]
    }

    func want(_ place: String) throws -> DesiredShield? {
        try follow()
        return settings[place].map { .storing($0) }
    }

    /// The note of a store for its shields.
    func note(_ place: String) throws -> ShieldNote? {
        try setting(SettingKey.note.name, of: place).flatMap { ShieldNote($0) }
    }

    private func follow() throws {
        if bench != ObjectIdentifier(desk.bench) {
            bench = ObjectIdentifier(desk.bench)
            read = 0
        }
        let events = desk.bench.events
        for event in events[read...] where event.header.stream == .decision {
            if event.header.type == RuleAllowed.type {
                let body = try event.decoded(RuleAllowed.self)
                lists[body.member] = body.items.map(\.id)
                lines.append("allow \(body.member) \(body.items.map(\.id).joined(separator: " "))")
                continue
            }
            let body = try event.decoded(RuleDecided.self)
            let place = "\(body.member)/\(body.rule)"
            settings[place] = body.isRemoved == true ? nil : body.settings ?? [:]
            let cause = body.cause ?? "-"
            if body.isRemoved == true {
                lines.append("delete \(body.rule) <- \(cause)")
            } else if let settings = body.settings {
                lines.append("set \(place) \(Self.text(settings)) <- \(cause)")
            } else {
                lines.append("clear \(place) <- \(cause)")
            }
        }
        read = events.count
    }

    /// A text such as `apps a,b; categories social`, `all`, or `all but code`.
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
            // The policies for apps and for sites are normally equal.
            if settings["shield.webDomainCategories"] != policy { parts.append("apps only") }
        }
        return parts.joined(separator: "; ")
    }
}

extension RuleDesk {
    /// An occurrence of an interval of the rule's activity. The default is the whole day.
    static func begun(
        _ activity: String,
        startMs: Int64 = RuleDesk.dayMs,
        endMs: Int64 = RuleDesk.nextMs,
        dueMs: Int64? = nil
    ) -> ActivityOccurrence {
        occurrence(activity, .intervalStarted, dueMs: dueMs ?? startMs, startMs: startMs, endMs: endMs)
    }

    static func ended(
        _ activity: String,
        startMs: Int64 = RuleDesk.dayMs,
        endMs: Int64 = RuleDesk.nextMs,
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
