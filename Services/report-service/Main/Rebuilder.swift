import Glibc
import STBus
import STContracts
import STPlatform
import STReportCore
import STServiceKit
import STZeroMQ

/// Rebuilds the figures from the stream, while the old ones still serve requests.
///
/// A page is fetched here while the preceding one is added on a separate thread.
actor Rebuilder {
    /// Upper bound on the takeovers that are tried while more events arrive than are kept.
    private static let triesMax = 20
    private static let retry = Backoff(firstMs: 20, limitMs: 1_000)

    private let host: ServiceHost<ReportState>
    private let surroundings: ServiceEnvironment
    private let client: BusClient
    private var status = ReportRebuild.Reply(state: .idle, rows: 0, tookMs: 0)
    private var startedMs: Int64 = 0
    private var work: Task<Void, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ host: ServiceHost<ReportState>, _ surroundings: ServiceEnvironment) {
        self.host = host
        self.surroundings = surroundings
        client = surroundings.makeClient()
    }

    /// Starts answering `report.rebuild`.
    func begin() async {
        await host.setWorkerHandler(ReportRebuild.self) { request, _ in await self.answer(request) }
    }

    func stop() async {
        work?.cancel()
        await work?.value
        await client.close()
    }

    private func answer(_ request: ReportRebuild.Request) -> ReportRebuild.Reply {
        if request.starts, work == nil {
            startedMs = Stopwatch.milliseconds()
            status = ReportRebuild.Reply(state: .running, rows: 0, tookMs: 0)
            surroundings.hold.begin()
            work = Task(executorPreference: surroundings.loop.thread, priority: .medium) { await self.run() }
        }
        if work != nil { status.tookMs = Stopwatch.milliseconds() - startedMs }
        return status
    }

    private func run() async {
        let path = ModelFile.path(
            beside: surroundings.directories.database(service: ServiceName.report.rawValue)
        )
        do {
            let bench = try RebuildWorkspace(path: path)
            do {
                try await rebuild(bench)
                status.state = .done
            } catch {
                fail(error)
            }
            await bench.close()
        } catch {
            fail(error)
        }
        // Detach the file before removing it.
        try? await host.step("report.rebuild.end") { try ModelTakeover.end(&$0, $2) }
        ModelFile.remove(path)
        status.tookMs = Stopwatch.milliseconds() - startedMs
        work = nil
        surroundings.hold.end()
    }

    private func fail(_ error: any Error) {
        let problem = Problem(error)
        status.state = .failed
        status.problem = problem
        surroundings.log.problem("rebuild_failed", problem)
    }

    private func rebuild(_ bench: RebuildWorkspace) async throws {
        var head = try await snapshot(bench)
        for attempt in 1...Self.triesMax {
            try Task.checkCancellation()
            head = try await catchUp(from: head, through: 0, bench)
            let now = try await host.step("report.rebuild.ready") { try ModelTakeover.prepare(&$0, $2) }
            guard now.epoch == head.epoch else { throw Self.replaced }
            head = try await catchUp(from: head, through: now.sequence, bench)
            try await bench.finish(head)
            let built = ModelTakeover.ModelPosition(epoch: head.epoch, sequence: head.sequence)
            if try await host.step(
                "report.rebuild.take",
                { try ModelTakeover.adopt(built, state: &$0, change: $2) }
            ) {
                return
            }
            // The follower may be behind, or ahead by more events than are kept.
            await surroundings.loop.thread.pause(ms: Self.retry.delayMs(attempt: attempt, noise: 1))
        }
        throw Problem(
            "report.rebuild_overtaken",
            "New usage arrives faster than the rebuild can add it. Try again when there is less activity.",
            retryable: true
        )
    }

    private static let replaced = Problem(
        "report.rebuild_replaced",
        """
        The usage stream restarted during the rebuild, and the figures restarted with it. There is nothing \
        left to do.
        """,
        retryable: true
    )

    private func snapshot(_ bench: RebuildWorkspace) async throws -> StreamPoint {
        var page = try await snapshotPage(nil)
        while true {
            try Task.checkCancellation()
            status.percent = page.events.last.map { 100 * $0.header.sequence / max(1, page.head.sequence) }
            guard let next = page.next else {
                status.rows = try await bench.apply(page.events)
                return page.head
            }
            async let following = snapshotPage(next)
            status.rows = try await bench.apply(page.events)
            page = try await following
        }
    }

    private func snapshotPage(_ next: String?) async throws -> EventPage {
        try await client.call(
            EventsSnapshot.self,
            to: .activity,
            .init(stream: StreamName.usage.rawValue, next: next),
            options: CallOptions(timeoutMs: BusLimits.timeoutMsMax)
        )
    }

    /// Reads to the head of the stream, and at least as far as `through`.
    private func catchUp(from head: StreamPoint, through: Int64, _ bench: RebuildWorkspace) async throws
        -> StreamPoint
    {
        var head = head
        while through == 0 || head.sequence < through {
            let request = EventsSince.Request(
                stream: StreamName.usage.rawValue,
                epoch: head.epoch,
                sequence: head.sequence,
                id: head.id
            )
            let page = try await client.call(EventsSince.self, to: .activity, request)
            status.rows = try await bench.apply(page.events)
            guard let last = page.events.last?.header else { return head }
            head = StreamPoint(
                stream: last.stream.rawValue,
                epoch: last.epoch,
                sequence: last.sequence,
                id: last.id
            )
            if page.next == nil { return head }
        }
        // Stop here. Otherwise the rebuild would only chase new events.
        return head
    }
}

/// The thread that builds the new figures, so that neither the sockets nor the old figures wait for it.
actor RebuildWorkspace {
    private let thread: LoopThread
    private let path: String
    private var builder: ModelBuilder?

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(path: String) throws {
        self.path = path
        thread = try LoopThread(name: "rebuild")
        // In Linux each thread has its own priority. This one has the lowest.
        thread.post { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19) }
    }

    /// Adds events. Returns the number of rows so far.
    func apply(_ events: [WireEvent]) throws -> Int64 {
        let builder = try builder ?? ModelBuilder(path: path)
        self.builder = builder
        try builder.apply(events)
        return builder.rows
    }

    func finish(_ head: StreamPoint) throws { try builder?.finish(head) }

    nonisolated func close() async {
        await discard()
        thread.stop()
    }

    private func discard() {
        // The result was taken over, or is useless.
        try? builder?.close()
        builder = nil
    }
}
