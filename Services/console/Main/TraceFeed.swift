import STCommandCore
import STContracts
import STPages
import STPlatform
import STZeroMQ

/// Sends traces to browsers. Services send spans only while a browser is connected.
actor TraceFeed {
    private static let tickInterval: Duration = .milliseconds(200)
    private static let ticksPerKeepAlive = 25
    /// A browser with more waiting bytes misses traces.
    private static let waitingBytesMax = 1 << 18

    private let loop: BusLoop
    private let directories: Directories
    private let lines = LiveLines()
    private var ports: [SubscriberPort] = []
    private var collector = TraceCollector()
    private var tick: LoopTimer?
    private var ticks = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    init(_ loop: BusLoop, _ directories: Directories) {
        self.loop = loop
        self.directories = directories
    }

    func open() throws -> LiveStream {
        if ports.isEmpty { try listen() }
        return lines.open(waitingBytesMax: Self.waitingBytesMax) { [weak self] in
            Task { await self?.stopIfUnused() }
        }
    }

    /// Subscribes to the services. Spans of services that start later are received as well.
    private func listen() throws {
        do {
            for service in ServiceName.all {
                let endpoint = try directories.endpoint(service: service.rawValue, .events)
                ports.append(
                    try SubscriberPort(loop, endpoint: endpoint, topics: [Topic.tracePrefix]) {
                        [weak self] frames in
                        guard frames.count > 2, let span = try? TraceSpan.decodedBody(frames[2]) else {
                            return
                        }
                        self?.assumeIsolated { $0.collector.add(span, now: .now) }
                    }
                )
            }
        } catch {
            stopIfUnused()
            throw error
        }
        tick = LoopTimer(loop.thread) { [weak self] in self?.assumeIsolated { $0.sendTraces() } }
        tick?.fire(afterMs: Self.tickInterval.ms)
    }

    private func sendTraces() {
        let terminal = Terminal(isTerminal: false, isColoured: false, columns: 100)
        for story in collector.due(now: .now) {
            let text = TraceText.lines(story, terminal).map { "data: \($0)\n" }.joined()
            lines.send("event: story\n\(text)\n")
        }
        // Only a write shows that a browser has disconnected.
        ticks += 1
        if ticks.isMultiple(of: Self.ticksPerKeepAlive) { lines.send(": still here\n\n") }
        tick?.fire(afterMs: Self.tickInterval.ms)
    }

    private func stopIfUnused() {
        guard lines.isEmpty else { return }
        for port in ports { port.close() }
        ports = []
        tick = nil
        collector = TraceCollector()
    }
}
