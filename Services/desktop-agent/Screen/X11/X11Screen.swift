package import STContracts
package import STDesktop
import STPlatform
import Synchronization

/// The desktop as an X server tells it.
package final class X11Screen: DesktopScreen {
    private enum Stage {
        case made
        case running(LoopThread, XDesk, descriptor: Int32)
        case closed
    }

    /// How long a server may take to see our windows go before its connection is cut.
    private static let closeMs: Int64 = 2_000

    private let environment: [String: String]
    private let usesCounters: Bool
    private let stage = Mutex(Stage.made)

    package let kind = AdapterKind.x11

    /// Without `usesCounters` the server is taken for one that does not tell by itself when nobody is there.
    package init(environment: [String: String], usesCounters: Bool = true) {
        self.environment = environment
        self.usesCounters = usesCounters
    }

    package func start(idleAfterMs: Int64, _ heard: @escaping @Sendable (DesktopEvent) -> Void) throws {
        let connection = try XConnection(environment: environment)
        let loop = try LoopThread(name: "x11") { XWaiter() }
        let desk = XDesk(
            connection,
            loop,
            environment: environment,
            usesCounters: usesCounters,
            heard: heard
        )
        let isFirst = stage.withLock { stage in
            guard case .made = stage else { return false }
            stage = .running(loop, desk, descriptor: connection.descriptor)
            return true
        }
        guard isFirst else {
            loop.stop()
            loop.join()
            throw Problem("internal", "An X11Screen starts once; make another one.")
        }
        loop.post { desk.start(idleAfterMs: idleAfterMs) }
    }

    package func perform(_ acts: [DesktopAct]) {
        stage.withLock { stage in
            guard case .running(let loop, let desk, _) = stage else { return }
            loop.post { desk.perform(acts) }
        }
    }

    package func lastInputBootMs() async -> Int64? {
        await withCheckedContinuation { continuation in
            let isAsked = stage.withLock { stage in
                guard case .running(let loop, let desk, _) = stage else { return false }
                loop.post { continuation.resume(returning: desk.quietMs().map { desk.nowBootMs - $0 }) }
                return true
            }
            if !isAsked { continuation.resume(returning: nil) }
        }
    }

    package func answers() async {
        await withCheckedContinuation { continuation in
            let isAsked = stage.withLock { stage in
                guard case .running(let loop, let desk, _) = stage else { return false }
                loop.post {
                    desk.connection.sync()
                    continuation.resume()
                }
                return true
            }
            if !isAsked { continuation.resume() }
        }
    }

    package func close() {
        let before = stage.withLock { stage in
            defer { stage = .closed }
            return stage
        }
        guard case .running(let loop, let desk, let descriptor) = before else { return }
        // A server that hangs would hold up whoever wants to end.
        let watchdog = Watchdog(descriptor, afterMs: Self.closeMs)
        loop.post { desk.end() }
        loop.stop()
        // Only where nobody but a job of the thread itself held this any more.
        if !loop.isCurrent { loop.join() }
        watchdog.stop()
    }

    deinit { close() }
}
