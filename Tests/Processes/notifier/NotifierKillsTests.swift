import Glibc
import STContracts
import STDesktopKit
import STPlatform
import STStore
import STTestKit
import STTestSupport
import STZeroMQ
import Synchronization
import Testing

extension NotifierSystemSuite {
    @Suite("Kills of the notifier")
    struct NotifierKillsTests {
        private static let kills = NotifierSystemSuite.isSoak ? 150 : 10
        private static let apps = 20

        @Test(
            "Random kills of notifier lose no notification, deliver none twice, and count uncertain deliveries"
        )
        func kills() async throws {
            var random = SeededRandom(seed: NotifierSystemSuite.seed)
            let scratch = try ScratchDirectory()
            defer { scratch.remove() }
            let bus = try SessionBus(scratch)
            let daemon = try await CountingDaemon.start(bus, seed: random.next(), slowMs: 6)
            defer { daemon.stop() }
            let directories = scratch.directories
            let auth = try LoneService(.auth, directories, logPath: scratch.file("auth.log"))
            _ = try auth.waitUntilItAnswers()
            let loop = try BusLoop(name: "test-bus")
            let client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }

            let isOver = Mutex(false)
            let progress = Mutex(0)
            let seed = random.next()
            let posting = Task {
                try await Self.post(client, seed: seed) {
                    isOver.withLock { $0 }
                } acknowledged: {
                    progress.withLock { $0 += 1 }
                }
            }
            var inFlight = 0
            var service = try Self.start(scratch, bus)
            for _ in 0..<Self.kills {
                let before = progress.withLock(\.self)
                _ = try service.waitUntilItAnswers()
                // On a slow machine nothing might happen in a short run. Some runs are as short as possible anyway.
                if random.chance(percent: 80) {
                    try await eventually(within: .seconds(60), "something is acknowledged") {
                        if progress.withLock(\.self) == before { throw NotYet("nothing") }
                    }
                }
                try await Task.sleep(for: .milliseconds(random.number(5...250)))
                service.process.signal(SIGKILL)
                _ = try service.waitForExit()
                inFlight += try Self.sending(directories)
                service = try Self.start(scratch, bus)
            }
            isOver.withLock { $0 = true }
            let acknowledged = try await posting.value

            let rows = try await Self.settled(client)
            Self.check(rows, acknowledged: acknowledged, counts: daemon.counts, inFlight: inFlight)
            let health = try await client.call(HealthReport.self, to: .notifier, Empty())
            #expect(health.counters["notifications_uncertain"] == Int64(inFlight))
            print(
                "notifier-kills: seed \(NotifierSystemSuite.seed), \(Self.kills) kills, \(acknowledged.count) acknowledged, "
                    + "\(daemon.counts.count) delivered, \(inFlight) in flight and uncertain"
            )
            #expect(acknowledged.count > Self.kills / 2)
            await client.close()
            loop.stop()
        }

        private static func start(_ scratch: ScratchDirectory, _ bus: SessionBus) throws -> LoneService {
            try LoneService(
                .notifier,
                scratch.directories,
                logPath: scratch.file("notifier.log"),
                environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]
            )
        }

        /// Returns the number of notifications being sent in the journal of a stopped notifier.
        private static func sending(_ directories: Directories) throws -> Int {
            let database = try Database(
                path: directories.database(service: ServiceName.notifier.rawValue),
                options: DatabaseOptions(applicationID: 0x5354_5376)
            )
            let count = try database.first("SELECT count(*) FROM notifications WHERE state = 'sending'") {
                try $0.int(0)
            }
            try database.close()
            return Int(count ?? 0)
        }

        /// Posts notifications, immediately or a little later, each repeated until it is acknowledged.
        ///
        /// Returns the ids of all.
        private static func post(
            _ client: BusClient,
            seed: UInt64,
            until isOver: @Sendable () -> Bool,
            acknowledged: @Sendable () -> Void
        ) async throws -> [String] {
            var random = SeededRandom(seed: seed)
            var ids: [String] = []
            let startMs = Stopwatch.milliseconds()
            // A busy machine completes fewer of them between two kills.
            while !isOver() || (ids.count <= kills * 2 && Stopwatch.milliseconds() - startMs < 120_000) {
                let id = "n\(ids.count)"
                var request = NotifyPost.Request(
                    app: "app-\(ids.count % apps)",
                    id: id,
                    title: "Number \(ids.count)",
                    body: "Body"
                )
                if random.chance(percent: 30) {
                    let ms = random.number(20...400)
                    request.trigger = NotifyTrigger(kind: .interval, afterMs: Int64(ms), repeats: false)
                }
                try await acknowledge(request, client)
                ids.append(id)
                acknowledged()
                try await Task.sleep(for: .milliseconds(random.number(0...25)))
            }
            return ids
        }

        private static func acknowledge(_ request: NotifyPost.Request, _ client: BusClient) async throws {
            while true {
                do {
                    let options = CallOptions(timeoutMs: 5_000, idempotencyKey: request.id)
                    _ = try await client.call(NotifyPost.self, request, options: options)
                    return
                } catch let problem as Problem where problem.retryable {
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
        }

        /// Returns all notifications once none is in progress.
        private static func settled(_ client: BusClient) async throws -> [PostedNotification] {
            try await eventually(within: .seconds(60), "all is delivered") {
                var rows: [PostedNotification] = []
                var next: String?
                repeat {
                    let page = try await client.call(NotifyList.self, .init(next: next))
                    rows += page.notifications
                    next = page.next
                } while next != nil
                let open = rows.filter { [.scheduled, .waiting, .sending].contains($0.state) }
                guard open.isEmpty else { throw NotYet("\(open.count) are still open, such as \(open[0])") }
                return rows
            }
        }

        private static func check(
            _ rows: [PostedNotification],
            acknowledged: [String],
            counts: [String: Int],
            inFlight: Int
        ) {
            #expect(Set(rows.map(\.id)) == Set(acknowledged))
            #expect(rows.count == acknowledged.count)
            #expect(counts.filter { $0.value > 1 } == [:], "delivered twice")
            let shown = rows.filter { $0.state == .shown }.map(\.id)
            let uncertain = rows.filter { $0.state == .uncertain }.map(\.id)
            #expect(shown.count + uncertain.count == rows.count)
            #expect(shown.filter { counts[$0] == nil } == [], "said to be shown, and were not")
            #expect(Set(counts.keys).subtracting(shown).subtracting(uncertain) == [])
            #expect(uncertain.count == inFlight)
        }
    }
}
