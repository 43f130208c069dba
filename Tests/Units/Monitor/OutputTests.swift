import STContracts
import STEngine
import STPlatform
import STTestKit
import Testing

@testable import STMonitorCore

@Suite("Output of extensions")
struct OutputTests {
    private func line(_ text: String, app: String = "a") -> AppLogLine {
        AppLogLine(
            row: 0,
            at: "",
            wallMs: 1,
            app: app,
            delivery: "D1",
            level: "info",
            source: "print",
            text: text
        )
    }

    @Test("Output is read in order and in pages, from the beginning, a position or near the end")
    func pages() throws {
        let desk = try MonitorDesk()
        let lines = (1...10).map { line("\($0)") } + [line("other", app: "b")]
        try desk.bench.step { [lines = lines] in try OutputStore.append(lines, $2.database) }
        let first = try desk.bench.ask(MonitorLog.self, .init(app: "a", limit: 4))
        let rest = try desk.bench.ask(MonitorLog.self, .init(app: "a", next: first.next))
        let tail = try desk.bench.ask(MonitorLog.self, .init(app: "a", fromEnd: 3))
        let all = try desk.bench.ask(MonitorLog.self, .init(app: "a", fromEnd: 100))
        let none = try desk.bench.ask(MonitorLog.self, .init(app: "a", next: rest.next))

        #expect(first.lines.map(\.text) == ["1", "2", "3", "4"])
        #expect(first.more)
        #expect(rest.lines.map(\.text) == ["5", "6", "7", "8", "9", "10"])
        #expect(!rest.more)
        #expect(tail.lines.map(\.text) == ["8", "9", "10"])
        #expect(all.lines.count == 10)
        #expect(none.lines.isEmpty && none.next == rest.next)
        #expect(try desk.bench.ask(MonitorLog.self, .init(app: "a", fromEnd: 0)).next == "10")
        #expect(first.lines.first?.delivery == "D1")
        #expect(first.lines.map(\.row) == [1, 2, 3, 4])
        #expect(try desk.bench.refusal(MonitorLog.self, .init(app: "a", next: "x"))?.code == "page.invalid")
        #expect(try desk.bench.refusal(MonitorLog.self, .init(app: "a", fromEnd: -1))?.field == "/from_end")
    }

    @Test("The oldest output of each app is deleted separately")
    func forgotten() throws {
        let desk = try MonitorDesk()
        try desk.bench.step { [lines = [line("kept", app: "b")]] in try OutputStore.append(lines, $2.database)
        }
        for start in stride(from: 0, to: Int(OutputStore.linesMax) + 1_000, by: 500) {
            let lines = (start..<start + 500).map { line("\($0)") }
            try desk.bench.step { [lines = lines] in try OutputStore.append(lines, $2.database) }
        }
        let oldest = try desk.bench.ask(MonitorLog.self, .init(app: "a", limit: 1)).lines
        let number = try #require(oldest.first.flatMap { Int64($0.text) })

        #expect(number >= 500 && number <= 1_000)
        #expect(try desk.bench.ask(MonitorLog.self, .init(app: "b")).lines.map(\.text) == ["kept"])
    }

    @Test("A page of long output lines fits into one reply")
    func long() throws {
        let desk = try MonitorDesk()
        let lines = (0..<100).map { _ in line(String(repeating: "y", count: 4_096)) }
        try desk.bench.step { [lines = lines] in try OutputStore.append(lines, $2.database) }
        let page = try desk.bench.ask(MonitorLog.self, .init(app: "a"))

        #expect(page.more)
        #expect(page.lines.count > 10)
        #expect(try page.encodedBody().count <= BusLimits.replyBodyBytes)
    }

    @Test("Debugging can be switched on for an installed app with a monitor, and reports its process")
    func debug() throws {
        var desk = try MonitorDesk()
        let app = MonitorDesk.app
        #expect(
            try desk.bench.refusal(MonitorDebug.self, .init(app: "x", on: true))?.code == "app.not_installed"
        )
        #expect(try desk.bench.ask(MonitorDebug.self, .init(app: app, on: true)).pid == nil)
        let wanted = DeliverySteps.debugTargets(desk.bench.state)
        #expect(wanted == [.init(app: app, member: MonitorDesk.member, executable: "/opt/app/monitor")])
        try desk.bench.step { [app] state, _, _ in DeliverySteps.recordDebugger(app: app, pid: 7, &state) }
        #expect(try desk.bench.ask(MonitorDebug.self, .init(app: app, on: true)).pid == 7)
        #expect(try desk.bench.ask(MonitorDebug.self, .init(app: app, on: false)).pid == nil)
        #expect(DeliverySteps.debugTargets(desk.bench.state).isEmpty)
        try desk.bench.step { [app] state, _, _ in DeliverySteps.recordDebugger(app: app, pid: 7, &state) }
        #expect(DeliverySteps.debugTargets(desk.bench.state).isEmpty)
        try desk.install("none", monitor: nil)
        #expect(
            try desk.bench.refusal(MonitorDebug.self, .init(app: "none", on: true))?.code == "app.no_monitor"
        )
    }
}
