import STBus
import STContracts
import STEngine
import STExtensions
import STPlatform
import STServiceKit
import STShieldCore
import STZeroMQ

/// The background work of shield-service: runs and calls the apps' shield extensions, and begins and ends grants on time.
enum ShieldWorker {
    static func run(
        _ host: ServiceHost<ShieldState>,
        _ surroundings: ServiceEnvironment,
        language: String
    ) async throws {
        let asking = ServiceRequester(.shield, host: host, surroundings: surroundings)
        let output = OutputWriter(host, surroundings)
        let extensions = await start(asking, output: output, showing: ShieldPresentation(language: language))
        var requests = try RequestScheduler(host, surroundings)
        // Check at the start too: something may have become due while the service was down.
        host.changeSignal.signal()
        for await _ in host.changeSignal.signals { await requests.refresh() }
        requests.stop()
        await extensions?.stop()
        await output.flush()
        await asking.client.close()
    }

    /// Returns `nil` if the endpoints have no place. No extension can then be called, and shields have the system's look.
    private static func start(
        _ asking: ServiceRequester<ShieldState>,
        output: OutputWriter<ShieldState>,
        showing: ShieldPresentation
    ) async -> ExtensionHost? {
        let surroundings = asking.surroundings
        do {
            let extensions = try ExtensionHost(
                surroundings.loop,
                settings: ExtensionSettings(surroundings, .shield, folder: "shields"),
                services: ExtensionServices(
                    forward: { try await asking.forward($0) },
                    heard: { output.receive($0) },
                    now: { surroundings.time.now() }
                )
            )
            let caller = ShieldCaller(asking, extensions)
            let looks = AppearanceFetcher(caller, showing)
            let presses = PressCaller(caller, looks)
            await asking.host.setWorkerHandler(ShieldAppearanceCall.self) { request, question in
                try await looks.answer(request, question)
            }
            await asking.host.setWorkerHandler(PressCall.self) { request, question in
                try await presses.answer(request, question)
            }
            return extensions
        } catch {
            let problem = Problem(error)
            surroundings.log.problem("no_extensions", problem)
            // Reject these requests, so that they do not wait for extensions.
            await asking.host.setWorkerHandler(ShieldAppearanceCall.self) { _, _ in throw problem }
            await asking.host.setWorkerHandler(PressCall.self) { _, _ in throw problem }
            return nil
        }
    }
}

/// Begins and ends grants at their moments, of the wall clock or of boot time, whichever comes first.
struct RequestScheduler: Sendable {
    private static let retry = Backoff(firstMs: 200, limitMs: 5_000)

    private let host: ServiceHost<ShieldState>
    private let surroundings: ServiceEnvironment
    private let timer: DeadlineTimer
    private var failures = 0

    init(_ host: ServiceHost<ShieldState>, _ surroundings: ServiceEnvironment) throws {
        self.host = host
        self.surroundings = surroundings
        let bell = host.changeSignal
        timer = try DeadlineTimer(
            surroundings.loop.thread,
            time: surroundings.time,
            onStep: { bell.signal() }
        ) {
            bell.signal()
        }
    }

    func stop() { timer.set() }

    /// Performs what is due, and sets the timer for the next moment.
    mutating func refresh() async {
        while !Task.isCancelled {
            do {
                let (due, now) = try await host.read { (RequestHandlers.due($0, $1), $1.now) }
                guard due.isDue(at: now) else {
                    timer.set(wallMs: due.wallMs, bootMs: due.bootMs)
                    failures = 0
                    return
                }
                try await host.step("request.advance") {
                    try RequestHandlers.advance(&$0, context: $1, change: $2)
                }
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
