import STBus
import STContracts
import STEngine
import STExtensions
import STPlatform
import STServiceKit
import STShieldCore
import STZeroMQ

/// The background work of shield-service: runs and calls the apps' shield extensions, and begins and ends grants on time.
enum ShieldCompanion {
    static func run(
        _ host: ServiceHost<ShieldState>,
        _ surroundings: Surroundings,
        language: String
    ) async throws {
        let asking = ServiceAsking(.shield, host, surroundings)
        let output = OutputWriter(host, surroundings)
        let extensions = await start(asking, output, ShieldShowing(language: language))
        var requests = try RequestKeeper(host, surroundings)
        // Check at the start too: something may have become due while the service was down.
        host.bell.ring()
        for await _ in host.bell.rings { await requests.look() }
        requests.stop()
        await extensions?.stop()
        await output.flush()
        await asking.client.close()
    }

    /// Returns `nil` if the endpoints have no place. No extension can then be called, and shields have the system's look.
    private static func start(
        _ asking: ServiceAsking<ShieldState>,
        _ output: OutputWriter<ShieldState>,
        _ showing: ShieldShowing
    ) async -> ExtensionHost? {
        let surroundings = asking.surroundings
        do {
            let extensions = try ExtensionHost(
                surroundings.loop,
                ExtensionSettings(surroundings, .shield, folder: "shields"),
                ExtensionServices(
                    forward: { try await asking.forward($0) },
                    heard: { output.hear($0) },
                    now: { surroundings.time.now() }
                )
            )
            let caller = ShieldCaller(asking, extensions)
            let looks = LookAsker(caller, showing)
            let presses = PressAsker(caller, looks)
            await asking.host.answer(LookAsk.self) { request, question in
                try await looks.answer(request, question)
            }
            await asking.host.answer(PressAsk.self) { request, question in
                try await presses.answer(request, question)
            }
            return extensions
        } catch {
            let problem = Problem(error)
            surroundings.log.problem("no_extensions", problem)
            // Reject these requests, so that they do not wait for extensions.
            await asking.host.answer(LookAsk.self) { _, _ in throw problem }
            await asking.host.answer(PressAsk.self) { _, _ in throw problem }
            return nil
        }
    }
}

/// Begins and ends grants at their moments, of the wall clock or of boot time, whichever comes first.
struct RequestKeeper: Sendable {
    private static let retry = Backoff(firstMs: 200, limitMs: 5_000)

    private let host: ServiceHost<ShieldState>
    private let surroundings: Surroundings
    private let moment: DueAlarm
    private var failures = 0

    init(_ host: ServiceHost<ShieldState>, _ surroundings: Surroundings) throws {
        self.host = host
        self.surroundings = surroundings
        let bell = host.bell
        moment = try DueAlarm(surroundings.loop.thread, surroundings.time, onStep: { bell.ring() }) {
            bell.ring()
        }
    }

    func stop() { moment.set() }

    /// Performs what is due, and sets the timer for the next moment.
    mutating func look() async {
        while !Task.isCancelled {
            do {
                let (due, now) = try await host.read { (RequestHandlers.due($0, $1), $1.now) }
                guard due.isReached(at: now) else {
                    moment.set(wallMs: due.wallMs, bootMs: due.bootMs)
                    failures = 0
                    return
                }
                try await host.step("request.advance") { try RequestHandlers.advance(&$0, $1, $2) }
            } catch {
                let problem = Problem(error)
                if failures == 0 { surroundings.log.problem("requests_wait", problem) }
                failures += 1
                // Retrying does not help here. The next check follows the next change.
                guard problem.retryable else { return }
                try? await Task.sleep(for: .milliseconds(Self.retry.delayMs(attempt: failures)))
            }
        }
    }
}
