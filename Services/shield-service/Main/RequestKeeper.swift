import STBus
import STContracts
import STEngine
import STPlatform
import STServiceKit
import STShieldCore
import STZeroMQ

/// Begins and ends grants at their moments, of the wall clock or of boot time, whichever comes first.
struct RequestKeeper: Sendable {
    private static let retry = Backoff(firstMs: 200, limitMs: 5_000)

    private let host: ServiceHost<ShieldState>
    private let surroundings: Surroundings
    private let moment: DueAlarm

    init(_ host: ServiceHost<ShieldState>, _ surroundings: Surroundings) throws {
        self.host = host
        self.surroundings = surroundings
        let bell = host.bell
        moment = try DueAlarm(surroundings.loop.thread, surroundings.time, onStep: { bell.ring() }) {
            bell.ring()
        }
    }

    func stop() { moment.set() }

    /// Begins and ends what is due, and waits for the next moment.
    func look() async {
        var failures = 0
        while !Task.isCancelled {
            do {
                let (due, now) = try await host.read { (RequestHandlers.due($0, $1), $1.now) }
                guard due.isReached(at: now) else {
                    moment.set(wallMs: due.wallMs, bootMs: due.bootMs)
                    return
                }
                try await host.step("request.advance") { try RequestHandlers.advance(&$0, $1, $2) }
            } catch {
                let problem = (error as? Problem) ?? Problem("internal", "\(error)")
                if failures == 0 { surroundings.log.problem("requests_wait", problem) }
                failures += 1
                try? await Task.sleep(for: .milliseconds(Self.retry.delayMs(attempt: failures)))
            }
        }
    }
}
