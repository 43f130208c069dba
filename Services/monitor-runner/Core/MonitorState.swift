/// What the service knows of others, read back from its database at every start.
package struct MonitorState: Sendable, Equatable {
    /// The executables of the monitors, by app; nil for an app that has none.
    var monitors: [String: String?] = [:]
    var permissions: [Permission: Bool] = [:]
    /// Apps whose monitor waits for a debugger, with its process once it is there.
    var debugged: [String: Int64?] = [:]

    /// How often a callback may fail before it is parked.
    var attempts = DeliveryVerdict.attempts

    /// What people ask for without writing code.
    var rules = RuleBook()

    /// Whether a member lets an app watch.
    struct Permission: Hashable {
        var app: String
        var member: String
    }

    package var hasRules: Bool { !rules.rules.isEmpty }

    package init() {}
}
