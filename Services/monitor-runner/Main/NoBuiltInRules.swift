import STContracts
import STMonitorCore
import STPlatform

/// Stands where nobody executes rules.
struct NoBuiltInRules: BuiltInDeliveries {
    func deliver(_ delivery: Delivery) async throws -> [OutgoingRequest] {
        throw Problem("rule.not_found", "No rule is known that \(delivery.occurrence.activity) belongs to.")
    }
}
