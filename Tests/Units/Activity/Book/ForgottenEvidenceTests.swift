import STActivityCore
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

@Suite("Evidence of deleted usage")
struct ForgottenEvidenceTests {
    private static let marker = "org.example.marker"
    private let desk: ActivityDesk

    init() throws { desk = try ActivityDesk() }

    /// Reports ten minutes of two alternating apps of the account's owner.
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
        "Deleted usage is removed from announced evidence and from the database file"
    )
    func strip() throws {
        var request = ActivityDesk.request(events: [
            ActivityDesk.event("all", targets: [], threshold: ActivityDesk.minutes(5)),
            ActivityDesk.event("more", targets: [], threshold: ActivityDesk.minutes(30)),
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
        // The range is for followers that store usage without segments. Rows that extend beyond it are deleted whole.
        #expect(forgotten.fromWallMs == range.fromWallMs)
        #expect(try #require(forgotten.toWallMs) >= range.toWallMs)
        // Deletion keeps the open segment, which is the marker. End it, and delete it too.
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

    @Test("Deletion keeps the evidence of other members, and the deleted range is announced")
    func others() throws {
        _ = try desk.bench.ask(
            ActivityStart.self,
            ActivityDesk.request(events: [
                ActivityDesk.event("all", targets: [], threshold: ActivityDesk.minutes(5))
            ])
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
