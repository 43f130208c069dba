import Glibc
import STContracts
import STPlatform
import STZeroMQ

/// Hears what services publish, and the ticks, the end of the time and ctrl-C between them, as one sequence.
package actor Listener {
    package enum Event: Sendable {
        case message(ServiceName, [[UInt8]])
        case tick
        case timeUp
        case interrupted
    }

    /// A reader this far behind loses the oldest; it says so when it sees a gap.
    private static let bufferMax = 50_000

    package nonisolated let events: AsyncStream<Event>
    private let loop: BusLoop
    private let output: AsyncStream<Event>.Continuation
    private var ports: [SubscriberPort] = []
    private var interrupts: [Int32] = []

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    package init(_ loop: BusLoop) {
        self.loop = loop
        (events, output) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(Self.bufferMax))
    }

    /// Connects also to services that do not run yet: the connection is made once they do.
    package func open(
        _ topics: [ServiceName: [String]],
        _ directories: Directories,
        tickMs: Int64?,
        forMs: Int64?
    ) throws {
        for (service, topics) in topics {
            let endpoint = try directories.endpoint(service: service.rawValue, .events)
            ports.append(
                try SubscriberPort(loop, endpoint: endpoint, topics: topics) { [output] in
                    output.yield(.message(service, $0))
                }
            )
        }
        if let tickMs { tick(everyMs: tickMs) }
        if let forMs { loop.thread.after(milliseconds: forMs) { [output] in output.yield(.timeUp) } }
        watchInterrupts()
    }

    package func close() {
        for port in ports { port.close() }
        ports = []
        Interrupts.unwatch()
        for descriptor in interrupts {
            loop.thread.currentWaiter.unwatch(descriptor: descriptor)
            Glibc.close(descriptor)
        }
        interrupts = []
        output.finish()
    }

    private func tick(everyMs: Int64) {
        loop.thread.after(milliseconds: everyMs) { [weak self, output] in
            output.yield(.tick)
            self?.tick(everyMs: everyMs)
        }
    }

    private func watchInterrupts() {
        let descriptor = eventfd(0, Int32(EFD_CLOEXEC.rawValue | EFD_NONBLOCK.rawValue))
        guard descriptor >= 0 else { return }
        interrupts.append(descriptor)
        loop.thread.currentWaiter.watch(descriptor: descriptor) { [output] in
            var count: UInt64 = 0
            _ = read(descriptor, &count, 8)
            output.yield(.interrupted)
        }
        Interrupts.watch(writingTo: descriptor)
    }
}
