import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STActivityCore

@Suite("Killed or stopped agents of a child")
struct StoppedAgentTests {
    private static func desk(isProtected: Bool) throws -> LedgerDesk {
        var limits = ActivityLimits()
        limits.isProtected = isProtected
        return try LedgerDesk(limits: limits)
    }

    /// Reports the editor, and ends. After a gap, another run reports the editor again.
    private static func die(_ desk: inout LedgerDesk, gapMs: Int64, member: String = "child", runs: Int = 2)
        throws
    {
        for run in 1...runs {
            desk.watcher.sequence = 0
            let first = desk.watcher.sees("editor", member: member, afterMs: run == 1 ? 0 : gapMs)
            let second = desk.watcher.sees("editor", member: member, afterMs: 5_000)
            _ = try desk.observe([first, second], run: "run-\(run)")
        }
    }

    private static func rows(_ desk: LedgerDesk, of member: String = "child") throws -> [String] {
        try (desk.rows() + desk.now()).filter { $0.member == member }
            .map { "\($0.presence) \($0.app ?? "-") \($0.durationMs)" }
    }

    @Test(
        "On a protected computer, a gap between runs of a child's agent counts as an unknown app",
        arguments: [1, 14_000, 60_000]
    )
    func gap(gapMs: Int64) throws {
        var desk = try Self.desk(isProtected: true)
        try Self.die(&desk, gapMs: gapMs)
        #expect(
            try Self.rows(desk)
                == ["active editor 5000", "active \(UsageObserve.unseenApp) \(gapMs)", "active editor 5000"]
        )
    }

    @Test("In personal mode, for adults and after a long gap, no unknown app is counted")
    func others() throws {
        var personal = try Self.desk(isProtected: false)
        try Self.die(&personal, gapMs: 14_000)
        #expect(try Self.rows(personal) == ["active editor 24000"])

        var adult = try Self.desk(isProtected: true)
        try Self.die(&adult, gapMs: 14_000, member: "owner")
        #expect(try Self.rows(adult, of: "owner") == ["active editor 24000"])

        var long = try Self.desk(isProtected: true)
        try Self.die(&long, gapMs: Timeline.countedGapMax.ms + 1)
        #expect(
            try Self.rows(long)
                == [
                    "active editor 5000", "unobserved - \(Timeline.countedGapMax.ms + 1)",
                    "active editor 5000",
                ]
        )
    }

    @Test(
        "An adult's stopped time is unobserved, although the agent reports an unknown app"
    )
    func adults() throws {
        var desk = try Self.desk(isProtected: true)
        _ = try desk.observe([
            desk.watcher.sees("editor", member: "owner"),
            desk.watcher.sees(UsageObserve.unseenApp, member: "owner", afterMs: 1_000),
            desk.watcher.sees("editor", member: "owner", afterMs: 1_000),
        ])
        #expect(
            try Self.rows(desk, of: "owner") == [
                "active editor 1000", "unobserved - 1000", "active editor 0",
            ]
        )
        #expect(try desk.bench.ask(HistoryList.self, .init()).lines.allSatisfy { $0.what == .begun })
    }

    @Test("Usage that account-door reports after the agent's silence adds one history line")
    func door() throws {
        var desk = try Self.desk(isProtected: true)
        _ = try desk.observe([desk.watcher.sees("editor"), desk.watcher.sees("editor", afterMs: 5_000)])
        desk.watcher.sequence = 0
        let seen = desk.watcher.sees(UsageObserve.unseenApp, afterMs: 61_000)
        _ = try desk.observe([seen], agent: UsageObserve.doorAgentPrefix + "child", run: "door")
        #expect(
            try Self.rows(desk)
                == [
                    "active editor 5000", "active \(UsageObserve.unseenApp) 61000",
                    "active \(UsageObserve.unseenApp) 0",
                ]
        )
        let lines = try desk.bench.ask(HistoryList.self, .init()).lines.filter { $0.what != .begun }
        #expect(lines.map(\.what) == [.unseen])
    }

    @Test("Stops of a child's agent are reported to guardians once a day")
    func history() throws {
        var desk = try Self.desk(isProtected: true)
        try Self.die(&desk, gapMs: 3_000, runs: 20)
        desk.watcher.sequence = 0
        _ = try desk.observe(
            [
                desk.watcher.sees(UsageObserve.unseenApp, afterMs: 1_000),
                desk.watcher.sees("editor", afterMs: 1_000),
                desk.watcher.sees(UsageObserve.unseenApp, afterMs: 1_000),
            ],
            run: "stopped"
        )
        let lines = try desk.bench.ask(HistoryList.self, .init()).lines.filter { $0.what != .begun }
        #expect(lines.map(\.what) == [.agentStopped])
        #expect(lines.allSatisfy { $0.isForGuardian && $0.member == "child" })
    }
}
