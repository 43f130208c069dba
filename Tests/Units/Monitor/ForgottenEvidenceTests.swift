import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STMonitorCore

@Suite("Deliveries whose evidence was deleted")
struct ForgottenEvidenceTests {
    private static func part(_ segment: String) -> EvidencePart {
        EvidencePart(segment: segment, app: "org.example.marker.\(segment)", startWallMs: 1, ms: 60_000)
    }

    private func crossing(_ desk: MonitorDesk, _ sequence: Int64, member: String = MonitorDesk.member) throws
        -> WireEvent
    {
        var occurrence = MonitorDesk.occurrence(.thresholdReached, member: member, event: "all")
        occurrence.evidence.parts = [Self.part("a"), Self.part("b"), Self.part("c")]
        return try desk.event(occurrence, sequence)
    }

    @Test("Only the deleted parts of evidence are removed, and only for that member")
    func strip() throws {
        let desk = try MonitorDesk()
        try desk.bench.follow([
            try crossing(desk, 1), try crossing(desk, 2, member: "guardian"),
            try CoreBench<MonitorState>.event(
                EvidenceForgotten.self,
                sequence: 3,
                subject: "forgotten/a",
                body: .init(member: MonitorDesk.member, segments: ["a", "c", "elsewhere"])
            ),
        ])
        let own = try #require(try DeliveryTables.find(1, desk.bench.database)).0.occurrence
        let other = try #require(try DeliveryTables.find(2, desk.bench.database)).0.occurrence

        #expect(own.evidence.parts == [Self.part("b")])
        #expect(own.evidence.more == 2)
        #expect(own.event == "all")
        #expect(other.evidence.parts.count == 3)
    }

    @Test("Deleted evidence leaves no trace in the database file")
    func bytes() throws {
        let desk = try MonitorDesk()
        for number in 1...50 { try desk.bench.follow([try crossing(desk, Int64(number))]) }
        func holds() throws -> Bool {
            try ["bench.sqlite", "bench.sqlite-wal"].contains { name in
                let bytes = try AtomicFile.read(desk.bench.scratch.file(name), limitBytes: 1 << 30)
                return String(decoding: bytes, as: UTF8.self).contains("org.example.marker")
            }
        }
        #expect(try holds())
        try desk.bench.follow([
            try CoreBench<MonitorState>.event(
                EvidenceForgotten.self,
                sequence: 51,
                subject: "forgotten/a",
                body: .init(member: MonitorDesk.member, segments: ["a", "b", "c"])
            )
        ])

        #expect(try !holds())
    }
}
