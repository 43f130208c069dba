import Glibc
import STDesktop
import STDesktopKit
import STPlatform
import STScreen
import STTestSupport
import Testing

/// Prints costs and delays. A test machine says little about speed, so the tests only require that everything arrives and that the
/// adapter does not poll.
@Suite("Latency and wake-ups on sway") struct MeasureTests {
    private static let repeats = TestScale.count(20, soak: 200)

    @Test("A cover on sway reaches the screen after each order, and the time is measured")
    func fromOrderToPixel() throws {
        let sway = try Sway()
        defer { sway.end() }
        let windows = try sway.window()
        try windows.ask("map one app.one")
        let watched = try Watched(sway)
        defer { watched.screen.close() }
        let one = try watched.wait("one")
        let eye = try LineProgram(
            sway,
            "screentime-wayland-observer",
            arguments: "watch",
            "HEADLESS-1",
            "640",
            "360"
        )
        while try !eye.nextLine().hasSuffix("20A040") {}
        var took: [Int64] = []
        for _ in 0..<Self.repeats {
            let start = Stopwatch.bootMicroseconds()
            watched.screen.perform([CoverTests().order(one.id)])
            let line = try eye.nextLine()
            #expect(line.hasSuffix("C02030"))
            took.append((Int64(line.prefix { $0 != " " }) ?? 0) - start)
            watched.screen.perform([.closePane(PaneID("cover"))])
            #expect(try eye.nextLine().hasSuffix("20A040"))
        }
        took.sort()
        print(
            "openPane to pixel, µs: median \(took[took.count / 2]), p99 \(took[took.count * 99 / 100]), most \(took[took.count - 1])"
        )
    }

    @Test("Each change of focus on sway is reported, and its latency is measured")
    func fromFocusToEvent() throws {
        let sway = try Sway()
        defer { sway.end() }
        let windows = try sway.window()
        for name in ["one", "two"] { try windows.ask("map \(name) app.\(name)") }
        let watched = try Watched(sway)
        defer { watched.screen.close() }
        #expect(comesTrue { watched.scene.windows.count == 2 })
        var took: [Int64] = []
        let ids = [try watched.wait("one").id, try watched.wait("two").id]
        for turn in 0..<Self.repeats {
            let id = ids[turn % 2]
            watched.forget()
            let start = Stopwatch.bootMilliseconds()
            watched.screen.perform([.activate(id)])
            try #require(comesTrue { watched.scene.focusedWindow == id }, "turn \(turn)")
            for case .focus(id, let bootMs) in watched.events {
                took.append(bootMs - start)
                break
            }
        }
        #expect(took.count == Self.repeats)
        took.sort()
        let last = try #require(took.last)
        print("activate to .focus, ms: median \(took[took.count / 2]), most \(last)")
    }

    @Test("The sway adapter wakes fewer than 5 times a second when idle, and 15 times under a cover")
    func wakeUpsWhileNothingHappens() throws {
        let sway = try Sway()
        defer { sway.end() }
        let windows = try sway.window()
        try windows.ask("map one app.one")
        let watched = try Watched(sway)
        defer { watched.screen.close() }
        let one = try watched.wait("one")
        let thread = try #require(watched.thread)
        #expect(thread.sleeps > 0)
        _ = poll(nil, 0, 1_500)
        let idle = Self.wakeUps(of: thread)
        print("wake-ups a second, nothing open:", idle)
        #expect(idle < 5)
        watched.screen.perform([CoverTests().order(one.id)])
        #expect(comesTrue { watched.shown(PaneID("cover")) })
        _ = poll(nil, 0, 500)
        let covered = Self.wakeUps(of: thread)
        print("wake-ups a second, under a cover:", covered)
        // It then reads frames at most four times a second. A thread that polls or draws constantly wakes up more often.
        #expect(covered < 15)
    }

    private static func wakeUps(of thread: AdapterThread) -> Double {
        let first = thread.sleeps
        _ = poll(nil, 0, 4_000)
        return Double(thread.sleeps - first) / 4
    }
}
