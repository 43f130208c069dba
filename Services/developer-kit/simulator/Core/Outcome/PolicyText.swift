import STContracts
import STDomain

/// Formats the shields of stores as text.
enum PolicyText {
    /// Returns the shields and settings that a change of a store added and removed. Returns `nil` if there are none.
    static func change(_ word: PolicyStore, before: PolicyStore?) -> String? {
        let old = before.map(shields) ?? []
        let new = shields(word)
        var parts: [String] = []
        let up = new.filter { !old.contains($0) }
        let down = old.filter { !new.contains($0) }
        if !up.isEmpty { parts.append("shield up: \(up.joined(separator: ", "))") }
        if !down.isEmpty { parts.append("shield down: \(down.joined(separator: ", "))") }
        let settings = changed(word, before)
        if !settings.isEmpty { parts.append("set: \(settings.joined(separator: ", "))") }
        guard !parts.isEmpty else { return nil }
        if !word.isInForce, let reason = word.reason { parts.append("not in force: \(reason)") }
        return parts.joined(separator: "; ")
    }

    /// Returns the shields of a store. The result is empty if the store is not in force.
    private static func shields(_ word: PolicyStore) -> [String] {
        guard word.isInForce else { return [] }
        let body = word.shields
        return body.apps + body.blockedApps.map { "\($0), hidden" }
            + of(body.categories, all: "all apps") + body.domains.map { "site:\($0)" }
            + of(body.domainCategories, all: "all sites", of: "sites of ") + of(body.filter)
    }

    private static func of(_ policy: CategoryPolicyBody, all: String, of: String = "") -> [String] {
        let but = policy.except.isEmpty ? "" : " but \(policy.except.joined(separator: ", "))"
        switch policy.reach {
        case .none: return []
        case .specific: return policy.categories.map { "\(of)category:\($0)\(but)" }
        case .all: return [all + but]
        case .unknown: return ["something unknown"]
        }
    }

    private static func of(_ filter: WebFilterBody) -> [String] {
        let but = filter.except.isEmpty ? "" : " but \(filter.except.joined(separator: ", "))"
        switch filter.reach {
        case .none: return []
        case .specific: return filter.domains.map { "site:\($0), filtered" }
        case .auto: return ["sites for adults\(but), filtered"]
        case .all: return ["all sites\(but), filtered"]
        case .unknown: return ["something unknown"]
        }
    }

    private static func changed(_ word: PolicyStore, _ before: PolicyStore?) -> [String] {
        let old = before?.isInForce == true ? before?.settings ?? [:] : [:]
        let new = word.isInForce ? word.settings : [:]
        // The message of a rule on its shield changes with the shield, so omit it.
        let names = Set(old.keys).union(new.keys).subtracting([SettingKey.note.name])
        return names.filter { old[$0] != new[$0] }.sorted()
    }

    static func text(_ subject: ShieldSubject) -> String {
        switch (subject.app, subject.domain) {
        case (let app?, let site?): "\(app) on \(site)"
        case (let app?, nil): app
        case (nil, let site?): "site:\(site)"
        case (nil, nil): "the desktop"
        }
    }
}
