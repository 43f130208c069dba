import STContracts
import STEngine
import STExtensions
import STMonitorCore
import STPlatform
import STServiceKit

/// Monitors that wait for a debugger.
extension DeliveryRunner {
    /// Starts those that are wanted and ends those that are not any more.
    func debug() async throws {
        let targets = DeliverySteps.debugTargets(try await host.state)
        let wanted = Set(targets.map(\.app))
        for (app, spec) in debugged where !wanted.contains(app) {
            debugged[app] = nil
            _ = try await extensions.endDebugging(spec)
        }
        for target in targets where target.pid == nil {
            let spec = spec(app: target.app, member: target.member, executable: target.executable)
            do {
                let pid = try await extensions.debug(spec)
                debugged[target.app] = spec
                try await host.step("monitor.debug.note") { state, _, _ in
                    DeliverySteps.note(app: target.app, pid: Int64(pid), &state)
                }
            } catch let problem as Problem where problem.retryable {
                // The one that runs is on its way out.
                again(afterMs: 50)
            } catch {
                surroundings.log.problem("not_debugged", Self.problem(error), ["app": .text(target.app)])
                try await host.step("monitor.debug.end") { state, _, _ in
                    DeliverySteps.endDebugging(app: target.app, &state)
                }
            }
        }
    }
}
