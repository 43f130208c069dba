/// The combined value of one setting from several stores, with the stores that set it.
package struct EffectiveValue: Sendable, Equatable {
    package var key: SettingKey
    package var value: SettingValue
    /// The stores that set it, ordered by app and name. Stores with exactly this value come first.
    package var by: [StoreName]

    /// Combines stores that are all in force. Returns the values in the order of the settings' names.
    ///
    /// A combined policy is never looser than the stores together. It may have fewer exceptions, because one policy cannot express
    /// several. `ShieldRules` decides which apps and sites are shielded.
    package static func combine(_ stores: [StoreName: [SettingKey: SettingValue]]) -> [EffectiveValue] {
        var said: [SettingKey: [(store: StoreName, value: SettingValue)]] = [:]
        for (store, values) in stores {
            for (key, value) in values where key.rule != .apart {
                said[key, default: []].append((store, value))
            }
        }
        return said.map { key, words in
            let words = words.sorted { $0.store < $1.store }
            let value = words.dropFirst().reduce(words[0].value) { stricter($0, $1.value) }
            let isWinner = words.map { $0.value == value }
            let winners = zip(words, isWinner).filter(\.1).map(\.0.store)
            let others = zip(words, isWinner).filter { !$0.1 }.map(\.0.store)
            return EffectiveValue(key: key, value: value, by: winners + others)
        }.sorted { $0.key.name < $1.key.name }
    }

    /// The stricter of two values of one kind. Their order does not matter.
    package static func stricter(_ left: SettingValue, _ right: SettingValue) -> SettingValue {
        switch (left, right) {
        case (.bool(let left), .bool(let right)): .bool(left || right)
        case (.integer(let left), .integer(let right)): .integer(min(left, right))
        case (.cookies(let left), .cookies(let right)): .cookies(min(left, right))
        case (.names(let left), .names(let right)): .names(left.union(right))
        case (.policy(let left), .policy(let right)): .policy(stricter(left, right))
        case (.filter(let left), .filter(let right)): .filter(stricter(left, right))
        // A setting never has values of two kinds, because values are checked when they arrive.
        default: left
        }
    }

    private static func stricter(_ left: CategoryPolicy, _ right: CategoryPolicy) -> CategoryPolicy {
        if left.reach == .none { return right.reach == .none ? .none : right }
        if right.reach == .none { return left }
        let except = left.except.intersection(right.except)
        if left.reach == .all || right.reach == .all { return CategoryPolicy(.all, except: except) }
        return CategoryPolicy(
            .specific,
            categories: left.categories.union(right.categories),
            except: except
        )
    }

    private static func stricter(_ left: WebFilter, _ right: WebFilter) -> WebFilter {
        if left.reach == .none { return right.reach == .none ? .none : right }
        if right.reach == .none { return left }
        let except = left.except.intersection(right.except)
        if left.reach == .all || right.reach == .all { return WebFilter(.all, except: except) }
        let reach: WebFilter.Reach = left.reach == .auto || right.reach == .auto ? .auto : .specific
        return WebFilter(reach, domains: left.domains.union(right.domains), except: except)
    }
}
