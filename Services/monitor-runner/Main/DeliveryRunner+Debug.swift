import STContracts
import STExtensions
import STMonitorCore
import STPlatform
import STServiceKit

/// Monitors that wait for a debugger.
extension DeliveryRunner {
    /// Starts those that are wanted and ends those that are not any more.
    func debug() async throws {
        let targets = try await host.callSelf(DebugWanted.self, Empty()).targets
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
                _ = try await host.callSelf(DebugNote.self, .init(app: target.app, pid: Int64(pid)))
            } catch let problem as Problem where problem.retryable {
                // The one that runs is on its way out.
                again(afterMs: 50)
            } catch {
                surroundings.log.problem("not_debugged", Self.problem(error), ["app": .text(target.app)])
                _ = try await host.callSelf(MonitorDebug.self, .init(app: target.app, on: false))
            }
        }
    }
}
