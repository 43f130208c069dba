import STContracts
import STEngine
import STPlatform
import STTestKit

@testable import STMonitorCore

/// The steps that monitor-runner takes by itself, taken by a test.
extension CoreBench where State == MonitorState {
    func nextDeliveries(except: Set<String> = [], isSingle: Bool = true) throws -> [NextDelivery] {
        try step { try DeliverySteps.next(except: except, isSingle: isSingle, $0, $2.database) }
    }

    func begin(_ numbers: [Int64]) throws -> [ClaimedDelivery] {
        try step { try DeliverySteps.begin(numbers, $0, $2) }
    }

    @discardableResult
    func finish(_ number: Int64, attempt: Int64, _ result: DeliveryResult) throws -> FinishedDelivery {
        try step { try DeliverySteps.finish(number, attempt: attempt, result, $0, $2) }
    }

    func park(_ number: Int64, _ problem: Problem) throws {
        try step { try DeliverySteps.park(number, problem, $2) }
    }

    func apply(_ occurrence: ActivityOccurrence, delivery: String) throws {
        try step { try RuleSteps.apply(occurrence, delivery: delivery, &$0, $2) }
    }

    var nextWatch: RuleWatchStep? { RuleSteps.nextWatch(state) }

    func take(_ watched: RuleWatched) throws { try step { try RuleSteps.take(watched, &$0, $2) } }

    func compare(_ actual: [ActivityView]) throws { try step { try RuleSteps.compare(actual, &$0, $2) } }

    func open(_ found: [RuleUnderWay]) throws { try step { try RuleSteps.open(found, &$0, $2) } }

    var held: RuleHeld { RuleSteps.held(state, nowMs: time.now().wallMs) }

    func letGo(rule: String, id: String) throws {
        try step { try RuleSteps.letGo(rule: rule, id: id, &$0, $2) }
    }

    var due: RuleDue { RuleSteps.due(state, nowMs: time.now().wallMs) }

    func settleShields() throws { try step { try RuleSteps.settle(&$0, $2) } }

    func isWaitingDue() throws -> Bool {
        try step { state, context, _ in RuleSteps.waitingDue(state, context).isReached(at: context.now) }
    }

    func applyWaiting() throws -> [DroppedChange] { try step { try RuleSteps.applyWaiting(&$0, $1, $2) } }
}
