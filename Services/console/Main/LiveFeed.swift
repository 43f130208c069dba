import STContracts
import STPages
import STPlatform
import STZeroMQ
import Synchronization

/// Notifies browsers of changes. Browsers then request the data that they show.
actor LiveFeed {
    /// Events arrive in bursts, so one notification represents all of them.
    private static let batchDelay: Duration = .milliseconds(40)
    /// Less than the silence after which proxies and suspended browsers end a connection.
    private static let keepAliveInterval: Duration = .seconds(15)
    private static let topics: [(ServiceName, [String])] = [
        (.activity, ["usage.", "activity."]), (.shield, ["policy.", "shield."]), (.auth, ["authorization."]),
        (.notifier, ["notification."]),
    ]

    private let loop: BusLoop
    private var ports: [SubscriberPort] = []
    private var batchTimer: LoopTimer?
    private var keepAliveTimer: LoopTimer?
    private let lines = LiveLines()

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    init(_ loop: BusLoop) { self.loop = loop }

    /// Subscribes to the services. Events of services that start later are received as well.
    func start(_ directories: Directories) throws {
        batchTimer = LoopTimer(loop.thread) { [lines] in lines.send("event: changed\ndata: 1\n\n") }
        keepAliveTimer = LoopTimer(loop.thread) { [weak self] in self?.assumeIsolated { $0.sendKeepAlive() } }
        for (service, topics) in Self.topics {
            let endpoint = try directories.endpoint(service: service.rawValue, .events)
            ports.append(
                try SubscriberPort(loop, endpoint: endpoint, topics: topics) { [weak self] _ in
                    self?.assumeIsolated { $0.batchTimer?.fire(afterMs: Self.batchDelay.ms) }
                }
            )
        }
        sendKeepAlive()
    }

    nonisolated var hasListeners: Bool { !lines.isEmpty }

    nonisolated func open() -> LiveStream { lines.open() }

    private func sendKeepAlive() {
        lines.send(": still here\n\n")
        keepAliveTimer?.fire(afterMs: Self.keepAliveInterval.ms)
    }
}

/// The browsers that are connected to one feed.
final class LiveLines: Sendable {
    private let open = Mutex<[ObjectIdentifier: LiveStream]>([:])

    var isEmpty: Bool { open.withLock { $0.isEmpty } }

    /// Adds a browser. `left` is called when it disconnects.
    func open(waitingBytesMax: Int = 4_096, left: @escaping @Sendable () -> Void = {}) -> LiveStream {
        let line = LiveStream(waitingBytesMax: waitingBytesMax) { [weak self] line in
            _ = self?.open.withLock { $0.removeValue(forKey: ObjectIdentifier(line)) }
            left()
        }
        open.withLock { $0[ObjectIdentifier(line)] = line }
        line.send("retry: 1000\n\n")
        return line
    }

    func send(_ text: String) {
        for line in open.withLock({ Array($0.values) }) { line.send(text) }
    }
}
