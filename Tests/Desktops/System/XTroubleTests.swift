import Glibc
import STContracts
import STDesktop
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

/// Apps with unusual windows under shields.
@Suite("Unruly apps under the shields of a real X display", .serialized)
struct XTroubleTests {
    private static let many = XHouse.isSoak ? 200 : 50
    private static let window = "#3366CC"

    @Test("A full-screen app on X is covered completely, and another window can be raised above it")
    func fullscreen() async throws {
        try await XHouse.run(settings: ["idle_ms": "3600000"]) { house in
            try house.touch()
            try await house.grantAtOnce()
            let (alpha, beta) = (try house.program(), try house.program())
            let other = try await house.window(beta, "Beta", x: 700, y: 300)
            let number = try await house.window(alpha, "Alpha")
            try alpha.ask("\(number) fullscreen on")
            try isColour(house, colour: Self.window, places: [(5, 5), (1_270, 790)])
            try await house.limit("alpha", ms: 1_000)
            try await house.reaches(.paused, "alpha")
            try isNotColour(house, colour: Self.window, places: [(5, 5), (1_270, 790), (30, 500)])
            try house.keepPicture("fullscreen")
            try beta.ask("\(other) activate")
            try await usable(house, program: beta, number: other)
            try await house.grant("alpha")
            try await house.isLifted("alpha")
            try house.runs(alpha.process.pid)
        }
    }

    @Test("An app that constantly raises itself stays covered, and another app stays usable")
    func fighter() async throws {
        // A paused app could not raise anything.
        try await XHouse.run(settings: ["idle_ms": "3600000", "escalation": "cover"]) { house in
            try house.touch()
            let (alpha, beta) = (try house.program(), try house.program())
            let other = try await house.window(beta, "Beta", x: 700, y: 300)
            let number = try await house.window(alpha, "Alpha")
            try alpha.ask("\(number) fight 20")
            let observer = try LineProgram(
                house.display,
                LineProgram.built("screentime-x11-observer"),
                arguments: "130",
                "480"
            )
            try await house.limit("alpha", ms: 1_000)
            try await house.reaches(.covered, "alpha")
            _ = observer.lines()
            try await Task.sleep(for: .seconds(2))
            let flashes = observer.lines().count { $0.hasSuffix(Self.window.lowercased()) }
            print("an app that raised itself 100 times was seen \(flashes) times")
            try isNotColour(house, colour: Self.window, places: [(130, 480)])
            try beta.ask("\(other) activate")
            try await usable(house, program: beta, number: other)
            #expect(ProcessState.of(alpha.process.pid) != "T")
        }
    }

    @Test("Two windows on two monitors are both covered, and both uncovered after a grant")
    func monitors() async throws {
        let monitors = [
            ScreenRect(x: 0, y: 0, width: 1280, height: 800),
            ScreenRect(x: 1280, y: 0, width: 1280, height: 800),
        ]
        try await XHouse.run(settings: ["idle_ms": "3600000"], width: 2560, monitors: monitors) { house in
            try house.touch()
            try await house.grantAtOnce()
            let alpha = try house.program()
            _ = try await house.window(alpha, "Alpha")
            _ = try await house.window(alpha, "Alpha", x: 1500, y: 200)
            try isColour(house, colour: Self.window, places: [(130, 480), (1530, 580)])
            try await house.limit("alpha", ms: 1_000)
            let shield = try await house.reaches(.paused, "alpha")
            #expect(shield.windows.count == 2)
            try isNotColour(house, colour: Self.window, places: [(130, 480), (1530, 580)])
            try await Task.sleep(for: .seconds(1))
            try house.keepPicture("two-monitors")
            try await house.grant("alpha")
            try await house.isLifted("alpha")
            try house.runs(alpha.process.pid)
            try isColour(house, colour: Self.window, places: [(130, 480), (1530, 580)])
        }
    }

    @Test("A paused app that is killed leaves no cover, and its next start is paused again")
    func killed() async throws {
        try await XHouse.run(settings: ["idle_ms": "3600000"]) { house in
            try house.touch()
            let (alpha, beta) = (try house.program(), try house.program())
            let other = try await house.window(beta, "Beta", x: 700, y: 300)
            _ = try await house.window(alpha, "Alpha")
            try await house.limit("alpha", ms: 1_000)
            try await house.reaches(.paused, "alpha")
            alpha.process.signal(SIGKILL)
            try await house.isLifted("alpha")
            try await usable(house, program: beta, number: other)
            try isColour(house, colour: "#000000", places: [(130, 480)])

            let again = try house.program()
            _ = try await house.window(again, "Alpha")
            try await house.reaches(.paused, "alpha")
            #expect(comesTrue { ProcessState.of(again.process.pid) == "T" })
        }
    }

    @Test("A file that is opened while its editor is paused is open after the grant")
    func secondStart() async throws {
        let scratch = try ScratchDirectory()
        try scratch.write("", to: "first.txt")
        try scratch.write("second", to: "second.txt")
        try await XHouse.run(settings: ["idle_ms": "3600000"]) { house in
            try house.touch()
            try await house.grantAtOnce()
            let editor = try await house.editor(scratch.file("first.txt"))
            try await house.write("kept", to: scratch.file("first.txt"))
            try await house.limit(XHouse.mousepad, ms: 1_000)
            try await house.reaches(.paused, XHouse.mousepad)
            let second = try house.display.start(
                "mousepad",
                list: [scratch.file("second.txt")],
                environment: house.appEnvironment
            )
            try await Task.sleep(for: .seconds(2))
            #expect(comesTrue { ProcessState.of(editor.pid) == "T" })
            print("the second start is \(ProcessState.of(second.pid).map(String.init) ?? "over")")
            try await house.grant(XHouse.mousepad)
            try await house.isLifted(XHouse.mousepad)
            try house.runs(editor.pid)
            try await eventually(within: .seconds(40), "the file is open") {
                let titles = try await house.ask(DesktopWindows.self, .init()).windows.compactMap(\.title)
                guard titles.contains(where: { $0.contains("second.txt") }) else { throw NotYet("\(titles)") }
            }
            #expect(comesTrue { second.reap() != nil })
            #expect(editor.reap() == nil)
        }
    }

    @Test("Many new windows beside a shield leave the desktop usable and no process stopped")
    func manyWindows() async throws {
        try await XHouse.run(settings: ["idle_ms": "3600000"]) { house in
            try house.touch()
            try await house.grantAtOnce()
            let (alpha, beta, gamma) = (try house.program(), try house.program(), try house.program())
            let other = try await house.window(beta, "Beta", x: 700, y: 300)
            _ = try await house.window(alpha, "Alpha")
            try await house.limit("alpha", ms: 1_000)
            try await house.reaches(.paused, "alpha")
            let startMs = Stopwatch.milliseconds()
            for turn in 0..<Self.many {
                try gamma.ask("map Gamma Gamma \(turn % 20 * 40) \(turn / 20 * 60 + 30) 200 150")
            }
            try beta.ask("\(other) activate")
            try await usable(house, program: beta, number: other)
            print("\(Self.many) windows and a word typed in \(Stopwatch.milliseconds() - startMs) ms")
            #expect(try await house.shield("alpha")?.stage == .paused)
            gamma.process.signal(SIGKILL)
            try await house.grant("alpha")
            try await house.isLifted("alpha")
            try house.runs(alpha.process.pid)
            #expect(house.stopped(among: [alpha, beta].map(\.process.pid)) == [])
        }
    }

    /// Waits until the window is active and receives text.
    private func usable(_ house: XHouse, program: LineProgram, number: Int) async throws {
        try await house.inFront("beta")
        try house.display.xdotool("type", "--delay", "15", "usable")
        try await eventually(within: .seconds(20), "the typed text has arrived") {
            let text = try program.ask("\(number) text")
            guard text.hasSuffix("usable") else { throw NotYet(text) }
        }
    }

    private func isColour(_ house: XHouse, colour: String, places: [(Int, Int)]) throws {
        for (x, y) in places {
            try eventuallyBlocking(within: .seconds(20), "\(colour) is at \(x) \(y)") {
                let found = try house.display.colour(x: x, y: y)
                guard found == colour else { throw NotYet(found) }
            }
        }
    }

    private func isNotColour(_ house: XHouse, colour: String, places: [(Int, Int)]) throws {
        for (x, y) in places { #expect(comesTrue { try house.display.colour(x: x, y: y) != colour }) }
    }
}
