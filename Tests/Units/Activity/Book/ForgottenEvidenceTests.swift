import STActivityCore
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

@Suite("Evidence of deleted time")
struct ForgottenEvidenceTests {
    private static let marker = "org.example.marker"
    private let desk: ActivityDesk

    init() throws { desk = try ActivityDesk() }

    /// Ten minutes of two apps in turn, of the account's own person.
    private func use() throws {
        var sequence: Int64 = 0
        for minute in 0...10 {
            for second in stride(from: Int64(0), to: 60, by: 10) {
                sequence += 1
                let seen = Observation(
                    sequence: sequence,
                    bootId: "boot",
                    at: desk.bench.time.now(),
                    zone: "UTC",
                    member: "guardian",
                    presence: .active,
                    app: minute % 2 == 0 ? Self.marker : "other"
                )
                _ = try desk.bench.ask(
                    UsageObserve.self,
                    .init(agent: "agent", run: "run", observations: [seen])
                )
                desk.bench.time.advance(byMs: 10_000)
                if minute == 10, second == 0 { return }
            }
        }
    }

    private func told() throws -> [WireEvent] {
        try desk.bench.ask(EventsSince.self, .init(stream: "activity")).events
    }

    @Test(
        "deleted evidence is taken out of the announced crossings, out of what is still counted, and out of the file"
    )
    func strip() throws {
        var request = ActivityDesk.request(events: [
            ActivityDesk.event("all", [], ActivityDesk.minutes(5)),
            ActivityDesk.event("more", [], ActivityDesk.minutes(30)),
        ])
        request.member = "guardian"
        _ = try desk.bench.ask(ActivityStart.self, request)
        try use()
        let before = try told()
        let crossing = try #require(before.first { $0.header.type == ThresholdReached.type })
        let whole = try crossing.decoded(ThresholdReached.self).evidence
        let parts = whole.parts
        #expect(parts.map(\.app).contains(Self.marker))

        let range = UsageForget.Request(fromWallMs: ActivityDesk.noon, toWallMs: ActivityDesk.noon + 600_000)
        let reply = try desk.bench.ask(UsageForget.self, range)
        let after = try told()

        #expect(reply.rows == 10)
        #expect(after.dropLast().map(\.header) == before.map(\.header))
        let stripped = try #require(after.first { $0.header.type == ThresholdReached.type })
        let evidence = try stripped.decoded(ThresholdReached.self).evidence
        #expect(evidence.parts.isEmpty)
        #expect(evidence.more == whole.more + Int64(parts.count))
        #expect(evidence.countedMs == 300_000)
        let forgotten = try #require(after.last).decoded(EvidenceForgotten.self)
        #expect(forgotten.member == "guardian")
        #expect(forgotten.segments == parts.map(\.segment).sorted())
        // For those who keep something of that time without naming stretches; rows that reach out of it went whole.
        #expect(forgotten.fromWallMs == range.fromWallMs)
        #expect(try #require(forgotten.toWallMs) >= range.toWallMs)
        // What is in front now stays, and it is the marker: without it nothing of it is left.
        _ = try desk.bench.ask(
            UsageObserve.self,
            .init(agent: "agent", run: "next", observations: [away()])
        )
        #expect(
            try desk.bench.ask(
                UsageForget.self,
                .init(fromWallMs: ActivityDesk.noon, toWallMs: ActivityDesk.noon + 900_000)
            ).rows == 1
        )
        let bytes = try AtomicFile.read(desk.bench.scratch.file("bench.sqlite"), limitBytes: 1 << 30)
        #expect(!String(decoding: bytes, as: UTF8.self).contains(Self.marker))
    }

    private func away() -> Observation {
        Observation(
            sequence: 1,
            bootId: "boot",
            at: desk.bench.time.now(),
            zone: "UTC",
            member: "guardian",
            presence: .away,
            app: nil
        )
    }

    @Test("evidence of another member, or of none, is left alone; the deleted time itself is announced")
    func others() throws {
        _ = try desk.bench.ask(
            ActivityStart.self,
            ActivityDesk.request(events: [ActivityDesk.event("all", [], ActivityDesk.minutes(5))])
        )
        try desk.use(Self.marker, 600_000)
        try use()
        let before = try told()
        _ = try desk.bench.ask(UsageForget.self, .init(fromWallMs: 0, toWallMs: 2_000_000_000_000))

        #expect(try told().dropLast() == before[...])
        let forgotten = try #require(try told().last).decoded(EvidenceForgotten.self)
        #expect(
            forgotten
                == .init(member: "guardian", segments: [], fromWallMs: 0, toWallMs: 2_000_000_000_000)
        )
    }
}
