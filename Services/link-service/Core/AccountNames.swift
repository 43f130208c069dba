import STContracts

/// Translates between the names of people on this machine and in the household.
struct AccountNames {
    private let there: [String: String]
    private let here: [String: String]

    init(_ accounts: [HouseholdAccount]) {
        let everyone = HouseholdAccount(here: HouseholdRule.everyone, member: HouseholdRule.everyone)
        there = Dictionary((accounts + [everyone]).map { ($0.here, $0.member) }) { first, _ in first }
        here = Dictionary((accounts + [everyone]).map { ($0.member, $0.here) }) { first, _ in first }
    }

    /// Returns `nil` if the person does not belong to the household.
    func sent<Value>(_ value: Value, _ member: WritableKeyPath<Value, String>) -> Value? {
        Self.named(value, member: member, names: there)
    }

    /// Returns `nil` if the person has no account on this machine.
    func received<Value>(_ value: Value, _ member: WritableKeyPath<Value, String>) -> Value? {
        Self.named(value, member: member, names: here)
    }

    private static func named<Value>(
        _ value: Value,
        member: WritableKeyPath<Value, String>,
        names: [String: String]
    ) -> Value? {
        guard let name = names[value[keyPath: member]] else { return nil }
        var named = value
        named[keyPath: member] = name
        return named
    }
}
