import STContracts
import STPlatform
import STServiceKit
import STShieldCore
import STTelemetry

/// Begins and ends grants at their moments, of the wall clock or of boot time, whichever comes first.
struct RequestKeeper: Sendable {
    private static let retry = Backoff(firstMs: 200, limitMs: 5_000)

    let host: ServiceHost<ShieldState>
    let surroundings: Surroundings

    /// Until the process stops.
    func run() async throws {
        let bell = host.bell
        let moment = try DueAlarm(surroundings.loop.thread, surroundings.time, onStep: { bell.ring() }) {
            bell.ring()
        }
        for await _ in ring(bell) { await look(moment) }
        moment.set()
    }

    /// Once at the start too: something may have become due while nobody was here.
    private func ring(_ bell: Doorbell) -> Doorbell.Rings {
        bell.ring()
        return bell.rings
    }

    private func look(_ moment: DueAlarm) async {
        var failures = 0
        while !Task.isCancelled {
            do {
                let due = try await host.callSelf(RequestDue.self, Empty())
                guard due.isDue else {
                    moment.set(wallMs: due.wallMs, bootMs: due.bootMs)
                    return
                }
                _ = try await host.callSelf(RequestAdvance.self, Empty())
            } catch {
                let problem = (error as? Problem) ?? Problem("internal", "\(error)")
                if failures == 0 { surroundings.log.problem("requests_wait", problem) }
                failures += 1
                try? await Task.sleep(for: .milliseconds(Self.retry.delayMs(attempt: failures)))
            }
        }
    }
}
