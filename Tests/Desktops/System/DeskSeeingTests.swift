import STContracts
import STDesktop
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

/// Observations that are the same on every desktop.
@Suite("Observations on X11, sway, GNOME Shell and KWin", .serialized)
struct DeskSeeingTests {
    private static let slackMs: Int64 = XHouse.isSoak ? 250 : 3_000
    private static let switches = XHouse.isSoak ? 69 : 9

    @Test("The foreground app counts, and then the next one", arguments: DeskKind.possible)
    func front(kind: DeskKind) async throws {
        try await kind.run { desk in
            let windows = [try await desk.open("alpha"), try await desk.open("beta")]
            for app in ["alpha", "beta", "alpha"] {
                try await desk.bring(app)
                try await desk.inFront(app)
            }
            try await desk.minimize("alpha")
            try await eventually("alpha is no longer in front") {
                let status = try await desk.ask(DesktopStatus.self, Empty())
                guard status.app != "alpha" else { throw NotYet("\(status)") }
            }
            #expect(windows.allSatisfy { $0.program.process.reap() == nil })
            let apps = try await desk.ledger().compactMap(\.app)
            #expect(apps.prefix(5) == ["alpha", "beta", "alpha", "beta", "alpha"])
        }
    }

    /// Returns the last interval of a presence that began since then. After two seconds without input another one follows.
    private static func presence(_ wanted: Presence, _ desk: any Desk, sinceMs: Int64) async throws -> Int64 {
        try await eventually(within: .seconds(20), "\(wanted) is in the ledger") {
            let rows = try await desk.ledger()
            guard let row = rows.last(where: { $0.presence == wanted && $0.startBootMs >= sinceMs }) else {
                throw NotYet("\(rows.suffix(3))")
            }
            return row.startBootMs
        }
    }

    /// Opens the window during a film, because otherwise the person would be idle before it is open.
    private static func alphaBeforeIdle(_ desk: any Desk) async throws -> DeskWindow {
        try await desk.logind.hold("idle", who: "opening", why: "A film", pid: 1)
        let window = try await desk.alpha().window
        try await desk.logind.release(who: "opening")
        let touched = try await touch(desk, over: DeskPlace.elsewhere)
        try await desk.inFront("alpha")
        // Wait, so that the interval after the film is not mistaken for the one after the next touch.
        #expect(comesTrue(within: .seconds(20)) { Stopwatch.bootMilliseconds() > touched.upperBound + 400 })
        return window
    }

    /// Moves the pointer, and returns bounds on the moment. A move to its present position would not be input.
    private static func touch(_ desk: any Desk, over frame: ScreenRect = DeskPlace.here) async throws
        -> ClosedRange<Int64>
    {
        let fromMs = Stopwatch.bootMilliseconds()
        try await desk.wave(2, over: frame)
        // The display's clock may differ a little from this process's.
        return (fromMs - 10)...Stopwatch.bootMilliseconds()
    }

    @Test("Usage stops after the idle time without input, and at a lock", arguments: DeskKind.further)
    func absence(kind: DeskKind) async throws {
        try await kind.run([], settings: ["idle_ms": "2000"]) { desk in
            let window = try await Self.alphaBeforeIdle(desk)
            let touched = try await Self.touch(desk)
            // Detected after two seconds, and dated back to the touch.
            let least = touched.lowerBound - kind.idleErrorMs
            let idleMs = try await Self.presence(.idle, desk, sinceMs: least)
            #expect((least...touched.upperBound + Self.slackMs).contains(idleMs))
            let back = try await Self.touch(desk, over: DeskPlace.elsewhere)
            let activeMs = try await Self.presence(.active, desk, sinceMs: back.lowerBound)
            #expect((back.lowerBound...back.upperBound + Self.slackMs).contains(activeMs))

            let fromMs = Stopwatch.bootMilliseconds()
            try await desk.logind.setLocked(type(of: desk).session, true)
            let untilMs = Stopwatch.bootMilliseconds() + Self.slackMs
            let lockedMs = try await Self.presence(.locked, desk, sinceMs: fromMs - 50)
            #expect((fromMs - 5...untilMs).contains(lockedMs))
            print(
                "idle off by \(idleMs - touched.upperBound) ms, back by \(activeMs - back.lowerBound) ms, a lock by \(lockedMs - fromMs) ms, \(kind)"
            )
            try await desk.logind.setLocked(type(of: desk).session, false)
            _ = try await Self.touch(desk)
            _ = try await Self.presence(.active, desk, sinceMs: lockedMs)
            try await desk.inFront("alpha")
            #expect(window.program.process.reap() == nil)
        }
    }

    @Test("A film in the foreground counts without input until it ends", arguments: DeskKind.further)
    func film(kind: DeskKind) async throws {
        try await kind.run([], settings: ["idle_ms": "2000"]) { desk in
            let window = try await Self.alphaBeforeIdle(desk)
            try await desk.logind.hold("idle", who: "alpha", why: "A film", pid: window.program.process.pid)
            let touched = try await Self.touch(desk)
            // Three times as long as without it. In the long form, two desktops play a real film.
            let isLong = XHouse.isSoak && [.gnome43, .kwin5].contains(kind)
            let longMs = touched.upperBound + (isLong ? 240_000 : 6_000)
            #expect(comesTrue(within: .seconds(300)) { Stopwatch.bootMilliseconds() > longMs })
            let rows = try await desk.ledger().filter { $0.endBootMs > touched.upperBound }
            #expect(rows.allSatisfy { $0.presence == .active && $0.app == "alpha" }, "\(rows)")
            let endMs = Stopwatch.bootMilliseconds()
            try await desk.logind.release(who: "alpha")
            let idleMs = try await Self.presence(.idle, desk, sinceMs: endMs - 20)
            #expect(idleMs <= endMs + Self.slackMs)
            let film = try await desk.ledger().filter { $0.app == "alpha" && $0.presence == .active }
            let counted = film.reduce(0) {
                $0 + max(0, $1.endBootMs - max($1.startBootMs, touched.upperBound))
            }
            print("a film, \(kind): \(counted) ms counted of \(endMs - touched.upperBound)")
            #expect(abs(counted - (endMs - touched.upperBound)) <= Self.slackMs)
        }
    }

    @Test("Each app counts for the time it was in the foreground", arguments: DeskKind.further)
    func exact(kind: DeskKind) async throws {
        try await kind.run { desk in
            let apps = ["alpha", "beta", "gamma"]
            var windows: [DeskWindow] = []
            for app in apps { windows.append(try await desk.open(app)) }
            try await desk.bring("alpha")
            try await desk.inFront("alpha")
            let beginMs = Stopwatch.bootMilliseconds()
            var log = VisitLog()
            var random = SeededRandom(seed: 18)
            for index in 1...Self.switches {
                let beforeMs = Stopwatch.bootMilliseconds()
                let app = apps[(index + random.number(0...1)) % apps.count]
                try await desk.bring(app)
                try await desk.inFront(app)
                log.goes(to: app, beforeMs, Stopwatch.bootMilliseconds())
                try await Task.sleep(for: .milliseconds(random.number(200...1_500)))
            }
            let leftMs = Stopwatch.bootMilliseconds()
            try await desk.logind.setLocked(type(of: desk).session, true)
            let endMs = try await Self.presence(.locked, desk, sinceMs: leftMs - 20)
            log.goes(to: nil, leftMs, max(leftMs, endMs))
            var counted: [String: Int64] = [:]
            for row in try await desk.ledger() where row.startBootMs >= beginMs - 20 {
                if let app = row.app { counted[app, default: 0] += row.endBootMs - row.startBootMs }
            }
            print("in front on \(kind): logged \(log.visits), counted \(counted)")
            for (app, range) in log.visits where app != "alpha" {
                #expect(range.contains(counted[app] ?? 0), "\(app)")
            }
            #expect(windows.allSatisfy { $0.program.process.reap() == nil })
        }
    }

    @Test(
        "An app on another workspace is not in the foreground, and its shield stays on that workspace",
        arguments: DeskKind.further
    )
    func workspaces(kind: DeskKind) async throws {
        try await kind.run { desk in
            let bare = try await desk.pixels(DeskPlace.here)
            let (window, own) = try await desk.covered()
            try await desk.workspace(1)
            try await eventually(within: .seconds(20), "no part of the window is visible") {
                let pixels = try await desk.pixels(DeskPlace.here)
                guard pixels == bare else { throw NotYet("\(pixels)") }
            }
            try await eventually("it is not in front") {
                let status = try await desk.ask(DesktopStatus.self, Empty())
                guard status.app != "alpha" else { throw NotYet("\(status)") }
            }
            let other = try await desk.open("beta")
            try await desk.inFront("beta")
            try await desk.type("free")
            #expect(comesTrue { try other.text() == "free" })

            try await desk.workspace(0)
            try await desk.isCovered(window, own)
            try await desk.bring("alpha")
            try await desk.inFront("alpha")
            #expect(desk.isStill(window))
        }
    }

    @Test("After the last window closes no app is in the foreground", arguments: DeskKind.longer)
    func nothing(kind: DeskKind) async throws {
        try await kind.run { desk in
            let window = try await desk.open("alpha")
            try await eventually("it counts") {
                let open = try await desk.ask(UsageNow.self, Empty()).open
                guard open.contains(where: { $0.app == "alpha" }) else { throw NotYet("\(open)") }
            }
            try await desk.end(window)
            try await eventually(within: .seconds(60), "alpha is no longer in front") {
                let status = try await desk.ask(DesktopStatus.self, Empty())
                let open = try await desk.ask(UsageNow.self, Empty()).open
                guard status.app != "alpha", !open.contains(where: { $0.app == "alpha" }) else {
                    throw NotYet("\(status) \(open)")
                }
            }
            #expect(try await desk.ledger().contains { $0.app == "alpha" })
        }
    }

    @Test("Two windows of an app count as one usage", arguments: DeskKind.longer)
    func oneApp(kind: DeskKind) async throws {
        try await kind.run { desk in
            var windows: [DeskWindow] = []
            for app in ["alpha", "alpha", "beta"] { windows.append(try await desk.open(app)) }
            try await desk.inFront("beta")
            try await eventually("the ledger contains each app once") {
                let apps = try await desk.ledger().compactMap(\.app)
                guard apps == ["alpha", "beta"] else { throw NotYet("\(apps)") }
            }
            #expect(windows.allSatisfy { $0.program.process.reap() == nil })
        }
    }

    @Test(
        "No usage counts while the person is switched away or the computer sleeps",
        arguments: DeskKind.longer
    )
    func away(kind: DeskKind) async throws {
        try await kind.run { desk in
            let session = type(of: desk).session
            let window = try await desk.open("alpha")
            let leftMs = Stopwatch.bootMilliseconds()
            try await desk.logind.setActive(session, false)
            let awayMs = try await Self.presence(.away, desk, sinceMs: leftMs - 50)
            #expect(awayMs <= Stopwatch.bootMilliseconds())
            try await desk.logind.setActive(session, true)
            try await desk.inFront("alpha")

            let asleepMs = Stopwatch.bootMilliseconds()
            try await desk.logind.prepareForSleep(true)
            let suspendedMs = try await Self.presence(.suspended, desk, sinceMs: asleepMs - 50)
            try await desk.logind.prepareForSleep(false)
            let backMs = try await Self.presence(.active, desk, sinceMs: suspendedMs)
            let used = try await desk.ledger().filter { $0.presence == .active }
            #expect(used.allSatisfy { $0.endBootMs <= suspendedMs || $0.startBootMs >= backMs }, "\(used)")
            #expect(window.program.process.reap() == nil)
        }
    }

    @Test(
        "Usage observed before the agent is killed is kept, and the next agent continues",
        arguments: DeskKind.longer
    )
    func killed(kind: DeskKind) async throws {
        try await kind.run { desk in
            let window = try await desk.open("alpha")
            try await desk.inFront("alpha")
            let fromMs = Stopwatch.bootMilliseconds()
            try await Task.sleep(for: .seconds(12))
            let untilMs = Stopwatch.bootMilliseconds()
            try await desk.killAgent()
            try await desk.inFront("alpha")
            let used = try await desk.ledger().filter { $0.app == "alpha" && $0.presence == .active }
            let counted = used.reduce(0) {
                $0 + max(0, min($1.endBootMs, untilMs) - max($1.startBootMs, fromMs))
            }
            // The agent reports every five seconds that nothing has changed.
            #expect(counted >= untilMs - fromMs - 6_500, "\(used)")
            #expect(window.program.process.reap() == nil)
        }
    }
}
