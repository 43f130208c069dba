package import STContracts

/// A built-in rule as a scenario has it.
package struct ScenarioRule: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case limit(ofMs: Int64)
        case downtime(from: String, to: String)
        case window(from: String, to: String)
        case goal(ofMs: Int64, opens: [TokenItem])
        case allow
    }

    package var kind: Kind
    package var name: String?
    package var member: String?
    package var targets: [TokenItem]
    /// 1 is Sunday; nil is every day.
    package var days: [Int]?
    package var warnMs: Int64?
    package var say: String?
    /// Nil: as the rule's own default has it.
    package var then: RuleConsequence?
    package var path: String
}
