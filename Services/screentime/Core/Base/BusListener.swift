import Glibc
import STContracts
import STPlatform
import STZeroMQ
import Synchronization

/// Merges the messages of services, ticks, the end of the time and Ctrl-C into one sequence of events.
actor BusListener {
    enum Event: Sendable {
        /// A message and its frames. Without frames, another machine may have something new.
        case message(ServiceName, [[UInt8]])
        case tick
        case timedOut
        case interrupted
    }

    /// Upper bound on the buffered events. If a reader falls further behind, the oldest events are dropped and counted.
    private static let bufferMax = 50_000
    /// Interval in which a command requests news from another machine, because this machine does not receive its messages.
    private static let remoteInterval: Duration = .seconds(2)

    private nonisolated let events: AsyncStream<Event>
    private let loop: BusLoop
    private let output: AsyncStream<Event>.Continuation
    private var ports: [SubscriberPort] = []
    private var lost = 0
    private var interrupts: DescriptorPipe?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    private init(_ loop: BusLoop) {
        self.loop = loop
        (events, output) = AsyncStream.makeStream(
            of: Event.self,
            bufferingPolicy: .bufferingNewest(Self.bufferMax)
        )
    }

    /// Runs the body with the events, reports dropped messages in a note, and closes the listener in every case.
    static func with<Result: Sendable>(
        _ clients: ServiceClients,
        topics: [ServiceName: [String]],
        tick: Duration? = nil,
        for length: Duration?,
        invocation: Invocation,
        body: (AsyncStream<Event>) async throws -> Result
    ) async throws -> Result {
        let listener = BusListener(clients.loop)
        do {
            if RemoteMachine.current == nil {
                try await listener.subscribe(topics, clients.directories)
            } else if let service = topics.keys.first {
                await listener.startTimer(.message(service, []), every: remoteInterval)
            }
            try await listener.open(tick: tick, for: length)
            let result = try await body(listener.events)
            let lost = await listener.lost
            if lost > 0 {
                invocation.terminal.note(
                    "\(lost) messages came faster than this command could show them, and were lost."
                )
            }
            await listener.close()
            return result
        } catch {
            await listener.close()
            throw error
        }
    }

    /// Subscribes to the services. For a service that does not run yet, the connection is made when it starts.
    private func subscribe(_ topics: [ServiceName: [String]], _ directories: Directories) throws {
        for (service, topics) in topics {
            let endpoint = try directories.endpoint(service: service.rawValue, .events)
            ports.append(
                try SubscriberPort(loop, endpoint: endpoint, topics: topics) {
                    if case .dropped = self.output.yield(.message(service, $0)) { self.lost += 1 }
                }
            )
        }
    }

    private func open(tick: Duration?, for length: Duration?) throws {
        if let tick { startTimer(.tick, every: tick) }
        if let length { loop.thread.after(milliseconds: length.ms) { [output] in output.yield(.timedOut) } }
        try watchInterrupts()
    }

    private func close() {
        for port in ports { port.close() }
        ports = []
        Interrupts.unwatch()
        if let interrupts { loop.thread.currentWaiter.unwatch(descriptor: interrupts.readEnd.number) }
        interrupts = nil
        output.finish()
    }

    private func startTimer(_ event: Event, every interval: Duration) {
        loop.thread.after(milliseconds: interval.ms) {
            self.output.yield(event)
            self.startTimer(event, every: interval)
        }
    }

    private func watchInterrupts() throws(Problem) {
        let pipe = try DescriptorPipe()
        interrupts = pipe
        loop.thread.currentWaiter.watch(descriptor: pipe.readEnd.number) { [output] in
            var byte: UInt8 = 0
            _ = read(pipe.readEnd.number, &byte, 1)
            output.yield(.interrupted)
        }
        Interrupts.watch(writingTo: pipe.writeEnd.number)
    }
}

/// Writes Ctrl-C and other signals to a pipe, so that a waiting command can end cleanly.
///
/// This is a handler and not a signalfd, because other threads that could receive the signal exist before a command runs.
package enum Interrupts {
    package static let ending = [SIGINT, SIGTERM]

    /// The descriptor to which the handler writes, -1 while nothing watches. A signal handler can only reach a global variable.
    private static let target = Atomic<Int32>(-1)

    /// Writes the number of each signal as one byte to the descriptor.
    ///
    /// With `secondKills` the second signal ends the process immediately, as people expect of a command that hangs.
    package static func watch(
        _ signals: [Int32] = ending,
        writingTo descriptor: Int32,
        secondKills: Bool = true
    ) {
        target.store(descriptor, ordering: .releasing)
        for number in signals {
            if secondKills {
                signal(number) { number in
                    Interrupts.pass(number)
                    signal(number, SIG_DFL)
                }
            } else {
                signal(number) { Interrupts.pass($0) }
            }
        }
    }

    /// Stops watching. With `ignoring`, later signals do nothing, because the command has already done what they request.
    package static func unwatch(_ signals: [Int32] = ending, ignoring: Bool = false) {
        for number in signals { signal(number, ignoring ? SIG_IGN : SIG_DFL) }
        target.store(-1, ordering: .releasing)
    }

    private static func pass(_ number: Int32) {
        let before = errno
        let descriptor = target.load(ordering: .acquiring)
        var byte = UInt8(truncatingIfNeeded: number)
        if descriptor >= 0 { _ = write(descriptor, &byte, 1) }
        errno = before
    }
}
