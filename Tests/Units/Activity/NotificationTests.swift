import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STActivityCore

@Suite("Counts of notifications")
struct NotificationTests {
    private var desk: LedgerDesk
    private static let start: Int64 = 1_790_000_000_000

    init() throws { desk = try LedgerDesk() }

    private mutating func sees(
        _ counts: [String: Int64]?,
        member: String = "owner",
        afterMs: Int64 = 1_000
    ) -> Observation {
        var seen = desk.watcher.sees("editor", member: member, afterMs: afterMs)
        seen.notifications = counts
        return seen
    }

    private func rows(_ member: String? = nil) throws -> [String] {
        var request = UsageNotifications.Request(member: member)
        var rows: [NotificationCount] = []
        repeat {
            let page = try desk.bench.ask(UsageNotifications.self, request)
            rows += page.rows
            request.next = page.next
        } while request.next != nil
        return rows.map { "\($0.member) \($0.app) \($0.count) \($0.wallMs - Self.start) \($0.zone)" }
    }

    private var told: [WireEvent] { desk.bench.events.filter { $0.header.type == UsageNotified.type } }

    @Test(
        "Notifications are counted and announced once per app, also if the observation is sent again"
    )
    mutating func counted() throws {
        let seen = [sees(["chat": 2, "mail": 1]), sees(nil), sees(["chat": 3], member: "child")]
        _ = try desk.observe(Array(seen.prefix(2)))
        _ = try desk.observe(seen)
        desk.bench = try desk.bench.reopened()
        _ = try desk.observe(seen)
        let expected = [
            "owner chat 2 1000 Asia/Seoul", "owner mail 1 1000 Asia/Seoul", "child chat 3 3000 Asia/Seoul",
        ]

        #expect(try rows() == expected)
        #expect(try rows("child") == [expected[2]])
        let log = try desk.bench.ask(EventsSince.self, .init(stream: "usage")).events
            .filter { $0.header.type == UsageNotified.type }
        #expect(try log.map { try $0.decoded(UsageNotified.self).count } == [2, 1, 3])
        #expect(Set(log.map(\.header.subject)).count == 3)
    }

    @Test("Notifications of a refused request are not counted")
    mutating func undone() throws {
        var late = sees(["chat": 1])
        late.bootMs = 1
        #expect(try desk.refusal([sees(["chat": 2]), late])?.code == "usage.out_of_order")
        #expect(try rows().isEmpty)
        #expect(desk.bench.events.isEmpty)
    }

    @Test("Notifications of one app at the same moment from several agents are all counted")
    mutating func together() throws {
        let seen = sees(["chat": 2])
        for agent in ["one", "two", "three"] { _ = try desk.observe([seen], agent: agent) }

        #expect(
            try rows().map { $0.prefix(17) } == [
                "owner chat 2 1000", "owner chat 2 1001", "owner chat 2 1002",
            ]
        )
        #expect(told.count == 3)
    }

    @Test("Counts of notifications are read in pages")
    mutating func pages() throws {
        for number in 0..<12 {
            let counts = (0..<50).map { ("app-\(number)-\($0)", Int64(1)) }
            _ = try desk.observe([sees(Dictionary(uniqueKeysWithValues: counts))])
        }
        #expect(try desk.bench.ask(UsageNotifications.self, .init()).rows.count == 500)
        #expect(try Set(rows()).count == 600)
        for bad in ["x", "-1"] {
            #expect(try desk.bench.refusal(UsageNotifications.self, .init(next: bad))?.code == "page.invalid")
        }
        #expect(
            try desk.bench.refusal(UsageNotifications.self, .init(member: "stranger"))?.code
                == "member.unknown"
        )
    }

    @Test("Invalid counts of notifications are refused")
    mutating func refusals() throws {
        let many = Dictionary(uniqueKeysWithValues: (0...50).map { ("app\($0)", Int64(1)) })
        let long = String(repeating: "a", count: 257)
        let bad: [([String: Int64], String)] = [
            ([:], "usage.bad_notifications"), (many, "usage.bad_notifications"),
            (["a": 0], "usage.bad_notifications"), (["a": -5], "usage.bad_notifications"),
            (["a": 10_001], "usage.bad_notifications"), (["": 1], "usage.bad_name"),
            ([long: 1], "usage.bad_name"),
        ]
        for (counts, code) in bad {
            desk.watcher.sequence = 0
            let problem = try desk.refusal([sees(counts)])
            #expect(problem?.code == code)
            #expect(problem?.field == "/observations/0/notifications")
        }
        desk.watcher.sequence = 0
        _ = try desk.observe([sees(["a": 10_000, String(repeating: "b", count: 256): 1])])
        #expect(try rows().count == 2)
    }

    @Test("Rows and events of notifications are deleted with the usage of their time")
    mutating func forgotten() throws {
        _ = try desk.observe((0..<10).map { sees(["org.example.marker\($0)": 1], afterMs: 60_000) })
        _ = try desk.observe([sees(["chat": 1], member: "child", afterMs: 0)])
        let request = UsageForget.Request(fromWallMs: Self.start, toWallMs: Self.start + 600_000)
        let reply = try desk.bench.ask(UsageForget.self, request)

        #expect(reply.rows == 0 || !reply.more)
        #expect(reply.events >= 9)
        #expect(
            try rows() == ["owner org.example.marker9 1 600000 Asia/Seoul", "child chat 1 600000 Asia/Seoul"]
        )
        let log = try desk.bench.ask(EventsSince.self, .init(stream: "usage")).events
        #expect(log.filter { $0.header.type == UsageNotified.type }.count == 2)
        let texts = log.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(!texts.contains { $0.contains("marker3") })
        #expect(texts.contains { $0.contains("marker9") })
    }

    @Test("Notifications are deleted in pages even if there is no usage to delete")
    mutating func forgottenPages() throws {
        for number in 0..<45 {
            let counts = (0..<50).map { ("app-\(number)-\($0)", Int64(1)) }
            _ = try desk.observe([sees(Dictionary(uniqueKeysWithValues: counts), afterMs: 10)])
        }
        let request = UsageForget.Request(fromWallMs: Self.start, toWallMs: Self.start + 60_000)
        let replies = try (0..<3).map { _ in try desk.bench.ask(UsageForget.self, request) }

        #expect(replies.map(\.more) == [true, false, false])
        #expect(replies.map(\.events) == [2_000, 250, 0])
        #expect(try rows().isEmpty)
    }
}
