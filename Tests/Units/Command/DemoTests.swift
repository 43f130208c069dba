import STCommandCore
import STContracts
import STPlatform
import STTestSupport
import Synchronization
import Testing

@Suite("The household of the demonstration")
struct DemoTests {
    /// At a time of each day of two weeks, in the night too.
    @Test(
        "The demo history of each member covers at least 13 days, has no overlaps and is reproducible",
        arguments: (0..<14).map { WallTime(ms: 1_795_610_400_000) + .seconds($0 * 91_000) }
    )
    func past(now: WallTime) throws {
        let clock = ZonedClock(zone: "Asia/Seoul") { _ in .seconds(9 * 3_600) }
        let requests = DemoHistory.requests(at: now, clock)
        #expect(requests == DemoHistory.requests(at: now, clock))
        #expect(requests.count == 2)
        for (index, parts) in requests.enumerated() {
            #expect(parts.allSatisfy { $0.rows.count + $0.notifications.count <= UsageImport.batchMax })
            let rows = parts.flatMap(\.rows)
            #expect(rows.count > 100 && parts.flatMap(\.notifications).count > 10, "of member \(index)")
            let spans = rows.map { $0.startWallMs...$0.startWallMs + $0.durationMs }
            #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
            // The day itself began some hours ago.
            #expect(spans.allSatisfy { $0.upperBound < (now - .seconds(3 * 3_600)).ms })
            #expect(Set(rows.map(\.segment)).count == rows.count)
            #expect(Set(rows.map { clock.day(WallTime(ms: $0.startWallMs)) }).count >= 13)
            #expect(rows.allSatisfy { ($0.category != nil) == ($0.presence == .active) })
            let minutes = rows.map { clock.minuteOfDay(WallTime(ms: $0.startWallMs)) }
            #expect(minutes.allSatisfy { (9 * 60...22 * 60).contains($0) })
        }
    }

    @Test("`system down` suggests --demo if only the demonstration is running")
    func down() async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let folder = scratch.file("run/screentime-demo")
        try Directories.prepare(folder)
        let lock = try InstanceLock(path: folder + "/supervisor.lock", what: "the demonstration")
        let output = Mutex("")
        var terminal = Terminal(isTerminal: false, isColoured: false, columns: 100)
        terminal.sink = { text, _ in output.withLock { $0 += text } }

        let code = await CommandRunner.run(
            ["system", "down"],
            environment: ["HOME": scratch.path, "XDG_RUNTIME_DIR": scratch.file("run")],
            terminal: terminal
        )

        #expect(code == .notRunning)
        #expect(output.withLock { $0 }.contains("screentime system down --demo"))
        withExtendedLifetime(lock) {}
    }

    @Test("The child of the demo history uses Steam less than half as long in the second week")
    func trend() throws {
        let now = WallTime(ms: 1_795_610_400_000)
        let clock = ZonedClock(zone: "UTC") { _ in .zero }
        let child = try #require(DemoHistory.requests(at: now, clock).first).flatMap(\.rows)
        func played(_ days: Range<Int64>) -> Int64 {
            child.filter { $0.app == "steam" && days.contains((now.ms - $0.startWallMs) / 86_400_000) }
                .reduce(0) { $0 + $1.durationMs }
        }
        #expect(played(7..<14) > 2 * played(0..<7))
    }
}
