import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@Suite("The ledger of a real X display", .serialized)
struct XLedgerTests {
    /// Half a minute of changes in every run; minutes of them in a soak.
    private static let changes = ProcessEnvironment.current()["SCREENTIME_SOAK"] == nil ? 24 : 240

    @Test("has every change of focus to within 50 ms, and their sum")
    func changes() async throws {
        try await XHouse.run { house in
            let program = try house.program()
            var numbers: [String: Int] = [:]
            for name in XHouse.classes { numbers[name.lowercased()] = try await house.window(program, name) }
            var random = SeededRandom(seed: 7)
            var truth: [(app: String, bootMs: Int64)] = []
            var last = "gamma"
            for number in 0..<Self.changes {
                // Somebody is there, also over minutes.
                if number.isMultiple(of: 20) { try house.touch() }
                let others = XHouse.classes.map { $0.lowercased() }.filter { $0 != last }
                last = others[Int(random.next() % 2)]
                guard let window = numbers[last] else { continue }
                let beforeMs = Stopwatch.bootMilliseconds()
                try program.ask("\(window) activate")
                truth.append((last, beforeMs))
                try await Task.sleep(for: .milliseconds(300 + Int64(random.next() % 1_500)))
            }
            let endMs = Stopwatch.bootMilliseconds()
            // Back to the first of them, so that the last stretch is closed as well.
            let first = last == "alpha" ? "beta" : "alpha"
            try program.ask("\(numbers[first] ?? 1) activate")
            truth.append((first, endMs))

            try await eventually(within: .seconds(20), "the last change is in the ledger") {
                guard try await house.ledger().last?.app == first else { throw NotYet("not yet") }
            }
            let rows = try await house.ledger().filter { $0.presence == .active && $0.app != nil }
            let told = rows.suffix(truth.count)
            try #require(told.count == truth.count)
            var worst: Int64 = 0
            for (row, change) in zip(told, truth) {
                #expect(row.app == change.app)
                worst = max(worst, abs(row.startBootMs - change.bootMs))
            }
            print("changes of focus on X11: \(truth.count), the worst is off by \(worst) ms")
            #expect(worst <= 50)
            for app in Set(truth.map(\.app)) {
                let seen = told.dropLast().filter { $0.app == app }.reduce(0) {
                    $0 + $1.endBootMs - $1.startBootMs
                }
                let wanted = zip(truth, truth.dropFirst()).reduce(0) {
                    $1.0.app == app ? $0 + $1.1.bootMs - $1.0.bootMs : $0
                }
                #expect(abs(seen - wanted) <= 50)
            }
        }
    }

    @Test("stops counting when nobody has touched anything, and at a lock at once")
    func absence() async throws {
        try await XHouse.run(settings: ["idle_ms": "2000"]) { house in
            let program = try house.program()
            _ = try await house.window(program, "Alpha")
            try house.display.run("xdotool", "mousemove", "300", "300")
            let touchedMs = Stopwatch.bootMilliseconds()
            try await presence(.idle, house)
            let idle = try #require(try await house.ledger().last { $0.presence == .idle })
            #expect(abs(idle.startBootMs - (touchedMs + 2_000)) <= 250)

            try house.display.run("xdotool", "mousemove", "320", "320")
            let backMs = Stopwatch.bootMilliseconds()
            try await presence(.active, house)
            let active = try #require(try await house.ledger().last { $0.presence == .active })
            #expect(abs(active.startBootMs - backMs) <= 250)

            let lockedMs = Stopwatch.bootMilliseconds()
            try await house.logind.setLocked(XHouse.session, true)
            try await presence(.locked, house)
            let locked = try #require(try await house.ledger().last { $0.presence == .locked })
            #expect((lockedMs - 5...lockedMs + 250).contains(locked.startBootMs))
            try await house.logind.setLocked(XHouse.session, false)
            try await presence(.active, house)
        }
    }

    private func presence(_ wanted: Presence, _ house: XHouse) async throws {
        try await eventually(within: .seconds(20), "\(wanted) is in the ledger") {
            guard try await house.ledger().last?.presence == wanted else { throw NotYet("not yet") }
        }
    }
}
