import STContracts
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
            let due = try await host.callSelf(RuleWaitingDue.self, Empty())
            guard due.isDue else {
                moment.set(wallMs: due.wallMs, bootMs: due.bootMs)
                return
            }
            let reply = try await host.callSelf(RuleWaitingApply.self, Empty())
            for change in reply.dropped {
                log.problem("rule_change_dropped", change.problem, ["rule": .text(change.rule)])
            }
        }
    }

    func stop() { moment.set() }
}
