import STContracts
import STPlatform
import STStore
import STTestKit
import Testing

@testable import STReportCore

@Suite("While the figures are being built")
struct RebuildingTests {
    private let desk: ReportDesk

    init() throws {
        var desk = try ReportDesk()
        try desk.close(ReportDesk.segment(1, minutes: 30))
        self.desk = desk
    }

    private func problem(_ bench: CoreBench<ReportState>) throws -> Problem? {
        try bench.refusal(ReportDay.self, .init(day: "2026-11-20"))
    }

    @Test("from a snapshot nothing is told, as a part of them would be taken for the whole")
    func snapshot() throws {
        try desk.bench.rebuild(desk.snapshot, isWhole: false)
        let day = try problem(desk.bench)
        #expect(day?.code == "report.rebuilding" && day?.retryable == true)
        let usage = #expect(throws: Problem.self) { try desk.usage() }
        #expect(usage?.code == "report.rebuilding")
        desk.bench.reach()
        #expect(try desk.usage().segments.first?.usedMs == 1_800_000)
    }

    @Test("a start in the middle of it goes on waiting; any other tells what is known")
    func start() throws {
        var bench = try desk.bench.reopened()
        #expect(try problem(bench) == nil)
        try bench.database.run("UPDATE cursors SET epoch = '', sequence = 0 WHERE stream = 'usage'")
        bench = try bench.reopened()
        #expect(try problem(bench)?.code == "report.rebuilding")
    }

    @Test("what was made of the figures before is of another generation")
    func generation() throws {
        let before = desk.bench.state.generation
        try desk.bench.rebuild(desk.snapshot)
        #expect(desk.bench.state.generation == before + 1)
    }
}
