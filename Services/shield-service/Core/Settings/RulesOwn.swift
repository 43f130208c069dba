import STContracts
import STEngine
import STPlatform

/// What belongs to the rules that people make, and is changed through them alone.
///
/// All processes of an account are alike here, so this keeps honest ones from lifting a rule's shield past its delay. What
/// somebody changes nevertheless is put right by monitor-runner, which follows the stream of policy.
enum RulesOwn {
    static func checkStores(of app: String, _ context: RequestContext) throws(Problem) {
        guard app == BuiltInRules.app, !isOfRules(context) else { return }
        throw Problem(
            "settings.of_rules",
            "The stores of \(BuiltInRules.app) belong to rules. Pause or remove the rule instead.",
            field: "/app",
            help: "screentime rule pause NAME --for 1h"
        )
    }

    static func checkAllowed(_ context: RequestContext) throws(Problem) {
        guard !isOfRules(context) else { return }
        throw Problem(
            "shield.allowed_of_rules",
            "What is always allowed is a rule. Add or remove that.",
            help: "screentime allow add APP"
        )
    }

    private static func isOfRules(_ context: RequestContext) -> Bool {
        context.header.idempotencyKey?.hasPrefix(BuiltInRules.shieldKeyPrefix) ?? false
    }
}
