import Glibc
import STDesktop
import STDesktopKit
import STPlatform
import STScreen
import STTestSupport
import Testing

/// Prints what it costs and how long it takes; a test machine says little about speed, so nothing is required of it.
@Suite("Measures on sway") struct MeasureTests {
    private static let repeats = ProcessEnvironment.current()["SCREENTIME_EVENTS"] == nil ? 20 : 200

    @Test("how long a cover on sway takes from the order to the pixel")
    func fromOrderToPixel() throws {
        let sway = try Sway()
        defer { sway.end() }
        let windows = try sway.window()
        try windows.ask("map one app.one")
        let watched = try Watched(sway)
        defer { watched.screen.close() }
        let one = try watched.wait("one")
        let eye = try LineProgram(sway, "screentime-wayland-observer", "watch", "HEADLESS-1", "640", "360")
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

    @Test("how long a change of focus on sway takes to its event")
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
            guard comesTrue({ watched.scene.focus == id }) else { continue }
            for case .focus(id, let bootMs) in watched.events { took.append(bootMs - start) }
        }
        took.sort()
        guard let last = took.last else { return }
        print("activate to .focus, ms: median \(took[took.count / 2]), most \(last)")
    }

    @Test("the adapter for sway sleeps while nothing happens")
    func wakeUpsWhileNothingHappens() throws {
        let sway = try Sway()
        defer { sway.end() }
        let windows = try sway.window()
        try windows.ask("map one app.one")
        let before = Self.threads()
        let watched = try Watched(sway)
        defer { watched.screen.close() }
        let own = Self.threads().subtracting(before)
        let one = try watched.wait("one")
        _ = poll(nil, 0, 1_500)
        print("wake-ups a second, nothing open:", Self.wakeUps(of: own))
        watched.screen.perform([CoverTests().order(one.id)])
        #expect(comesTrue { watched.shown(PaneID("cover")) })
        _ = poll(nil, 0, 500)
        print("wake-ups a second, under a cover:", Self.wakeUps(of: own))
    }

    private static func threads() -> Set<String> {
        let all = (try? DirectoryTree.names(in: "/proc/self/task")) ?? []
        return Set(all.filter { ScratchDirectory.text("/proc/self/task/\($0)/comm") == "wayland\n" })
    }

    private static func wakeUps(of threads: Set<String>) -> [Double] {
        func count(_ thread: String) -> Int {
            let text = ScratchDirectory.text("/proc/self/task/\(thread)/status")
            let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
            return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
        }
        let first = threads.map(count)
        _ = poll(nil, 0, 4_000)
        return zip(threads.map(count), first).map { Double($0 - $1) / 4 }
    }
}
