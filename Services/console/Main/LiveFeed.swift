import STContracts
import STPages
import STPlatform
import STZeroMQ
import Synchronization

/// Notifies browsers of changes. Browsers then request the data that they show.
actor LiveFeed {
    /// Events arrive in bursts, so one notification represents all of them.
    private static let gatherMs: Int64 = 40
    /// Less than the silence after which proxies and suspended browsers end a connection.
    private static let pulseMs: Int64 = 15_000
    private static let topics: [(ServiceName, [String])] = [
        (.activity, ["usage.", "activity."]), (.shield, ["policy.", "shield."]), (.auth, ["authorization."]),
        (.notifier, ["notification."]),
    ]

    private let loop: BusLoop
    private var ports: [SubscriberPort] = []
    private var gathered: Alarm?
    private var pulse: Alarm?
    private let lines = LiveLines()

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    init(_ loop: BusLoop) { self.loop = loop }

    /// Subscribes to the services. Events of services that start later are received as well.
    func start(_ directories: Directories) throws {
        gathered = Alarm(loop.thread) { [lines] in lines.say("event: changed\ndata: 1\n\n") }
        pulse = Alarm(loop.thread) { [weak self] in self?.assumeIsolated { $0.beat() } }
        for (service, topics) in Self.topics {
            let endpoint = try directories.endpoint(service: service.rawValue, .events)
            ports.append(
                try SubscriberPort(loop, endpoint: endpoint, topics: topics) { [weak self] _ in
                    self?.assumeIsolated { $0.gathered?.ring(afterMs: Self.gatherMs) }
                }
            )
        }
        beat()
    }

    nonisolated var isHeard: Bool { !lines.isEmpty }

    nonisolated func open() -> LiveLine { lines.open() }

    private func beat() {
        lines.say(": still here\n\n")
        pulse?.ring(afterMs: Self.pulseMs)
    }
}

/// The browsers that are connected to one feed.
final class LiveLines: Sendable {
    private let open = Mutex<[ObjectIdentifier: LiveLine]>([:])

    var isEmpty: Bool { open.withLock { $0.isEmpty } }

    /// Adds a browser. `left` is called when it disconnects.
    func open(waitingBytesMax: Int = 4_096, left: @escaping @Sendable () -> Void = {}) -> LiveLine {
        let line = LiveLine(waitingBytesMax: waitingBytesMax) { [weak self] line in
            _ = self?.open.withLock { $0.removeValue(forKey: ObjectIdentifier(line)) }
            left()
        }
        open.withLock { $0[ObjectIdentifier(line)] = line }
        line.say("retry: 1000\n\n")
        return line
    }

    func say(_ text: String) {
        for line in open.withLock({ Array($0.values) }) { line.say(text) }
    }
}
