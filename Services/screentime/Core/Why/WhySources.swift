import STContracts
import STPlatform

/// What the services know about the causes of a shield, asked for when needed.
///
/// A part that cannot be had, because it was forgotten or its service does not run, is nil: the rest is told all the same.
struct WhySources: Sendable {
    var delivery: @Sendable (_ id: String) async -> MonitorDelivery.Reply?
    var segment: @Sendable (_ request: UsageSegment.Request) async -> UsageSegment.Reply?
    /// The name that people gave to a built-in rule, by its id.
    var ruleName: @Sendable (_ id: String) async -> String?

    static func live(_ clients: ServiceClients) -> WhySources {
        WhySources(
            delivery: { try? await clients.call(MonitorDelivery.self, .init(id: $0)) },
            segment: { try? await clients.call(UsageSegment.self, $0) },
            ruleName: { id in
                guard let rules = try? await RuleShowing.all(clients) else { return nil }
                return rules.first { $0.id == id }?.rule.name
            }
        )
    }
}
