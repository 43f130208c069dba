import Glibc
import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

/// The whole course with a real editor: limit, shield, more time.
@Suite("Complete scenarios on a real sway", .serialized)
struct SwayStoryTests {
    private static let budgetMs: Int64 = SwayHouse.isSoak ? 20_000 : 18_000
    private static let warnMs: Int64 = SwayHouse.isSoak ? 10_000 : 14_000

    /// The key code of that letter.
    private static let s = 31

    struct Look: Sendable, CustomStringConvertible {
        var language: String
        var scale: Int

        var description: String { "sway-\(language)-\(scale)" }
    }

    @Test(
        "A limit on sway warns, covers and pauses an editor, and a grant returns it with its text",
        arguments: [Look(language: "en", scale: 1), Look(language: "ko", scale: 2)]
            + (SwayHouse.isSoak ? [Look(language: "en", scale: 2), Look(language: "ko", scale: 1)] : [])
    )
    func story(look: Look) async throws {
        try await SwayHouse.run {
            $0.settings["language"] = look.language
            if look.language == "ko" { $0.environment["LANG"] = "ko_KR.UTF-8" }
            $0.scale = Double(look.scale)
            $0.width = 1280 * look.scale
            $0.height = 720 * look.scale
        } _: { house in
            try await house.grantAtOnce()
            let hands = try house.hands()
            let file = house.sway.scratch.file("home/note.txt")
            try house.sway.scratch.write("", to: "home/note.txt")
            chown(file, SwayHouse.uid, SwayHouse.uid)
            let editor = try house.app(
                "/usr/bin/mousepad",
                ["--disable-server", file],
                named: "org.xfce.mousepad"
            )
            try await house.inFront(SwayHouse.mousepad)
            try await write("before", to: file, house: house, hands: hands)
            // Not saved: only the editor has it.
            try house.sway.type(" and more")
            try await house.picture("\(look)-1-typing")
            let say = look.language == "ko" ? "{limit} 동안 썼으니 이제 산책하세요." : "That was {limit}. Go for a walk."
            let place = (x: 1_140 * look.scale, y: 40 * look.scale)
            let before = try await house.colour(place)
            // Usage before the rule counts as well, in whole seconds.
            let first = try #require(try await house.ledger().first { $0.app == SwayHouse.mousepad })
            let usedMs = (Stopwatch.bootMilliseconds() - first.startBootMs) / 1_000 * 1_000
            let budgetMs = SwayHouse.isSoak ? Self.budgetMs : usedMs + Self.budgetMs
            try await house.limit(SwayHouse.mousepad, ms: budgetMs, warnMs: Self.warnMs, say: say)
            try await eventually(within: .seconds(40), "the warning is on the screen") {
                guard try await house.colour(place) != before else { throw NotYet("not yet") }
            }
            #expect(try await house.shield(SwayHouse.mousepad) == nil)
            try await house.picture("\(look)-2-warned")

            let shield = try await house.reaches(.paused, SwayHouse.mousepad)
            print("\(look): \(shield)")
            #expect(house.isStill(editor.process.pid, editor.folder))
            #expect(shield.means == (editor.folder == nil ? .signal : .freezer))
            try await Task.sleep(for: .seconds(2))
            try await eventually("the shield is drawn") {
                guard try await house.picture("\(look)-3-shield") > 20 else { throw NotYet("a bare pane") }
            }

            // Text that is typed now goes to the shield.
            try house.sway.type("lost")
            #expect(house.isStill(editor.process.pid, editor.folder))
            // The second-last control. The second line of its menu is a quarter of an hour.
            for _ in 0..<2 { try house.sway.press("Tab", with: ["shift"]) }
            try house.sway.press("Return")
            try house.sway.press("Tab")
            try await Task.sleep(for: .milliseconds(700))
            try await house.picture("\(look)-4-more-time")
            try house.sway.press("Return")
            try await house.isLifted(SwayHouse.mousepad)
            #expect(comesTrue { !house.isStill(editor.process.pid, editor.folder) })
            try await write(" and after", to: file, house: house, hands: hands)
            let text = ScratchDirectory.text(file).split(separator: "\n").first.map(String.init)
            #expect(text == "before and more and after")
            try await house.picture("\(look)-5-typed-on")
        }
    }

    @Test("A shielded terminal on sway is covered and never paused")
    func terminal() async throws {
        try await SwayHouse.run { house in
            let ticks = house.sway.scratch.file("home/ticks")
            let words = ["sh", "-c", "while :; do echo >> \(ticks); sleep 0.05; done"]
            let terminal = try house.app("/usr/bin/foot", words, named: "foot")
            try await house.inFront("foot")
            try await house.limit("foot", ms: 1_000)
            try await house.staysCovered("foot")
            let count = ScratchDirectory.text(ticks).count
            #expect(comesTrue { ScratchDirectory.text(ticks).count > count + 20 })
            #expect(!house.isStill(terminal.process.pid, terminal.folder))
            try await house.picture("sway-terminal")
        }
    }

    @Test("A system that runs in a shielded terminal continues, and stopping it lifts the shield")
    func inTerminal() async throws {
        try await SwayHouse.run {
            $0.isInTerminal = true
            $0.settings.merge(["escalation": "end", "escalate_after_ms": "1000"]) { $1 }
        } _: { house in
            try await house.inFront("foot")
            let place = (x: 640, y: 600)
            let before = try await house.colour(place)
            try await house.limit("foot", ms: 1_000)
            try await house.staysCovered("foot")
            #expect(try await house.colour(place) != before)
            // Longer than the next steps of a shield take with any other app.
            try await Task.sleep(for: .seconds(4))
            #expect(try await house.shield("foot")?.stage == .covered)
            #expect(house.supervisor.reap() == nil)
            try house.screentime("system", "down")
            // The terminal ends with its programs, and nothing remains on the screen.
            try await eventually(within: .seconds(20), "the screen is empty") {
                guard try await house.colour(place) == 0x203040 else { throw NotYet("not yet") }
            }
        }
    }

    @Test("Stopping the system on sway lifts the shield and resumes the app")
    func stopping() async throws {
        try await SwayHouse.run { house in
            let windows = try house.windows(named: "alpha")
            try windows.program.ask("map alpha alpha")
            try await house.inFront("alpha")
            let eye = try house.eye(x: 640, y: 360)
            _ = try eye.next { $0 == "20A040" }
            try await house.limit("alpha", ms: 1_000)
            try await house.reaches(.paused, "alpha")
            #expect(house.isStill(windows.program.process.pid, windows.folder))
            house.stopSystem()
            #expect(!house.isStill(windows.program.process.pid, windows.folder))
            _ = try eye.next { $0 == "20A040" }
            #expect(try windows.program.ask("text") == "")
        }
    }

    /// Types, saves, and waits until the file contains the text.
    private func write(_ text: String, to file: String, house: SwayHouse, hands: LineProgram) async throws {
        // One key after the other, as a person does.
        try house.sway.type(text)
        try await eventually(within: .seconds(20), "\(text) is in the file") {
            try hands.ask("control \(Self.s)")
            try await Task.sleep(for: .milliseconds(200))
            let found = ScratchDirectory.text(file)
            guard found.contains(text) else { throw NotYet(found) }
        }
    }
}
