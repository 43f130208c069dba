import STContracts
import STEngine
import STMonitorCore
import STPlatform
import STServiceKit
import STZeroMQ

/// Makes changes of rules that waited, at their moment.
struct RuleWaitingKeeper: Sendable {
    private let host: ServiceHost<MonitorState>
    private let log: Log
    private let moment: DueAlarm

    init(_ host: ServiceHost<MonitorState>, _ surroundings: Surroundings) throws {
        self.host = host
        log = surroundings.log
        let bell = host.bell
        moment = try DueAlarm(surroundings.loop.thread, surroundings.time, onStep: { bell.ring() }) {
            bell.ring()
        }
    }

    func look() async throws {
        while !Task.isCancelled {
            let (due, now) = try await host.read { (RuleSteps.waitingDue($0, $1), $1.now) }
            guard due.isReached(at: now) else {
                moment.set(wallMs: due.wallMs, bootMs: due.bootMs)
                return
            }
            let dropped = try await host.step("rule.waiting.apply") {
                try RuleSteps.applyWaiting(&$0, $1, $2)
            }
            for change in dropped {
                log.problem("rule_change_dropped", change.problem, ["rule": .text(change.rule)])
            }
        }
    }

    func stop() { moment.set() }
}
