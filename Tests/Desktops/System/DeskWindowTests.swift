import STContracts
import STDesktop
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

/// Events of a window under a shield, the same on every desktop.
@Suite("Windows under shields on X11, sway, GNOME Shell and KWin", .serialized)
struct DeskWindowTests {
    private static let wide = ScreenRect(x: 220, y: 140, width: 640, height: 520)

    @Test(
        "When a shielded app ends its shield disappears, and its next start is covered",
        arguments: DeskKind.longer
    )
    func ends(kind: DeskKind) async throws {
        try await kind.run { desk in
            let bare = try await desk.pixels(DeskPlace.here)
            let (window, own) = try await desk.covered()
            try await desk.end(window)
            try await desk.isLifted("alpha")
            try await eventually("the desktop is empty where the window was") {
                let pixels = try await desk.pixels(DeskPlace.here)
                guard pixels == bare else { throw NotYet("\(pixels)") }
            }
            let again = try await desk.open("alpha")
            try await desk.put("alpha", DeskPlace.here)
            try await desk.isCovered(again, own)
            #expect(desk.isStill(again))
        }
    }

    @Test("Two apps have separate shields, and one is lifted without the other", arguments: DeskKind.longer)
    func both(kind: DeskKind) async throws {
        try await kind.run { desk in
            try await desk.grantAtOnce()
            let (window, own) = try await desk.covered()
            let other = try await desk.open("beta")
            try await desk.put("beta", DeskPlace.elsewhere)
            try await desk.limit("beta")
            try await desk.reaches(.paused, "beta")
            try await desk.grant("beta")
            try await eventually(within: .seconds(20), "beta receives keys again") {
                guard try await desk.shield("beta") == nil else { throw NotYet("a shield") }
                try await desk.bring("beta")
                try await desk.type("1")
                guard try other.text().hasPrefix("1") else { throw NotYet(try other.text()) }
            }
            #expect(try await desk.shield("alpha")?.stage == .paused)
            #expect(desk.isStill(window) && !desk.isStill(other))
            #expect(try await desk.pixel(x: 240, y: 200) != own)
        }
    }

    @Test("Apps that share a used-up limit are all covered", arguments: DeskKind.longer)
    func shared(kind: DeskKind) async throws {
        try await kind.run { desk in
            let other = try await desk.open("beta")
            try await desk.put("beta", DeskPlace.elsewhere)
            let (window, own) = try await desk.alpha()
            let targets = ["alpha", "beta"].map { TokenItem(kind: .application, id: $0) }
            let spec = RuleSpec(
                kind: .limit,
                name: "both",
                targets: targets,
                durationMs: 1_000,
                then: .shield
            )
            _ = try await desk.ask(RuleAdd.self, .init(spec))
            try await desk.reaches(.paused, "beta")
            try await desk.isCovered(window, own)
            #expect(desk.isStill(other))
        }
    }

    @Test("A shield grows and shrinks with its window", arguments: DeskKind.longer)
    func resized(kind: DeskKind) async throws {
        try await kind.run { desk in
            let bare = try await desk.pixels(Self.wide)[3]
            let (window, own) = try await desk.covered()
            // A paused app draws nothing into the new part, which therefore belongs to the shield.
            try await desk.put("alpha", Self.wide)
            try await desk.isCovered(window, own)
            try await desk.put("alpha", DeskPlace.here)
            try await eventually("the desktop is empty beside the window") {
                let pixel = try await desk.pixels(Self.wide)[3]
                guard pixel == bare else { throw NotYet(pixel) }
            }
            try await desk.isCovered(window, own)
            #expect(desk.isStill(window))
        }
    }

    @Test(
        "A window that moves while its shield appears is covered at its final position",
        arguments: DeskKind.longer
    )
    func moving(kind: DeskKind) async throws {
        try await kind.run { desk in
            let (window, own) = try await desk.alpha()
            try await desk.limit("alpha")
            var random = SeededRandom(seed: 5)
            while try await desk.shield("alpha")?.stage != .paused {
                let (x, y) = (random.number(0...600), random.number(0...300))
                try await desk.put("alpha", ScreenRect(x: x, y: y, width: 480, height: 360))
            }
            try await desk.put("alpha", DeskPlace.here)
            try await desk.isCovered(window, own)
            #expect(desk.isStill(window))
        }
    }

    @Test(
        "A grant for a minimized window applies when the window returns",
        arguments: DeskKind.longer
    )
    func minimized(kind: DeskKind) async throws {
        try await kind.run { desk in
            try await desk.grantAtOnce()
            let (window, own) = try await desk.covered()
            try await desk.minimize("alpha")
            try await desk.grant("alpha")
            try await desk.isLifted("alpha")
            try await desk.bring("alpha")
            try await desk.shows(own, in: DeskPlace.here, true)
            try await desk.inFront("alpha")
            try await desk.type("back")
            #expect(comesTrue { try window.text().hasSuffix("back") })
        }
    }

    @Test("A shield returns when its grant is revoked", arguments: DeskKind.longer)
    func again(kind: DeskKind) async throws {
        try await kind.run { desk in
            try await desk.grantAtOnce()
            let (window, own) = try await desk.covered()
            try await desk.grant("alpha", ms: 60_000)
            try await desk.isLifted("alpha")
            try await desk.shows(own, in: DeskPlace.here, true)
            let requests = try await desk.ask(RequestList.self, .init()).requests
            _ = try await desk.ask(RequestRevoke.self, .init(request: try #require(requests.last).request))
            try await desk.isCovered(window, own)
        }
    }

    @Test("A shield disappears when its rule is removed", arguments: DeskKind.longer)
    func removed(kind: DeskKind) async throws {
        try await kind.run { desk in
            let (window, own) = try await desk.alpha()
            let rule = try await desk.limit("alpha")
            try await desk.reaches(.paused, "alpha")
            _ = try await desk.ask(RuleRemove.self, .init(name: rule.rule.name ?? ""))
            try await desk.isLifted("alpha")
            try await desk.shows(own, in: DeskPlace.here, true)
            try await desk.takesKeys(window)
            #expect(!desk.isStill(window))
        }
    }

    @Test("Keys typed after a shield has appeared do not reach the app", arguments: DeskKind.longer)
    func typing(kind: DeskKind) async throws {
        try await kind.run { desk in
            try await desk.grantAtOnce()
            let (window, own) = try await desk.alpha()
            try await desk.limit("alpha", ms: 2_000)
            var typed = 0
            while try await desk.shield("alpha")?.stage != .paused {
                try await desk.type("a")
                typed += 1
            }
            for _ in 0..<20 { try await desk.type("b") }
            try await desk.grant("alpha")
            try await desk.isLifted("alpha")
            try await desk.shows(own, in: DeskPlace.here, true)
            let text = try window.text()
            #expect(!text.contains("b") && text.count <= typed, "\(text)")
        }
    }

    @Test("A shield remains after a lock, a sleep and a switch of users", arguments: DeskKind.longer)
    func locked(kind: DeskKind) async throws {
        try await kind.run { desk in
            let (window, own) = try await desk.covered()
            let session = type(of: desk).session
            try await desk.logind.setLocked(session, true)
            try await desk.logind.setLocked(session, false)
            try await desk.isCovered(window, own)
            try await desk.logind.prepareForSleep(true)
            try await desk.logind.prepareForSleep(false)
            try await desk.isCovered(window, own)
            try await desk.type("lost")
            try await desk.logind.setActive(session, false)
            try await desk.logind.setActive(session, true)
            try await desk.isCovered(window, own)
            #expect(desk.isStill(window))
        }
    }

    @Test(
        "A shield remains while services are killed one by one, and can be lifted afterwards",
        arguments: DeskKind.longer
    )
    func services(kind: DeskKind) async throws {
        try await kind.run { desk in
            try await desk.grantAtOnce()
            let (window, own) = try await desk.covered()
            for service in [ServiceName.activity, .monitor, .shield, .auth] {
                try await desk.kill(service)
                try await eventually(within: .seconds(60), "\(service) answers again") {
                    _ = try await desk.ledger()
                    _ = try await desk.ask(RuleList.self, .init())
                }
                try await desk.isCovered(window, own)
                #expect(desk.isStill(window))
            }
            try await desk.grant("alpha")
            try await desk.isLifted("alpha")
            try await desk.shows(own, in: DeskPlace.here, true)
        }
    }

    @Test(
        "A full-screen app on the second monitor is covered on that monitor",
        arguments: DeskKind.longer.filter(\.movesOverMonitors)
    )
    func fullscreen(kind: DeskKind) async throws {
        try await kind.run(outputs: 2) { desk in
            let (window, own) = try await desk.alpha()
            try await desk.put("alpha", DeskPlace.beyond)
            try await desk.shows(own, in: DeskPlace.beyond, true)
            try await desk.fullscreen(window)
            let far = [(1_284, 4), (2_550, 4), (1_284, 710), (2_550, 710)]
            try await eventually("it has that monitor") {
                let pixels = try await Self.pixels(far, desk)
                guard pixels.allSatisfy({ $0 == own }) else { throw NotYet("\(pixels)") }
            }
            try await desk.limit("alpha")
            try await desk.reaches(.paused, "alpha")
            try await eventually("no part of the window is visible") {
                let pixels = try await Self.pixels(far, desk)
                guard !pixels.contains(own) else { throw NotYet("\(pixels)") }
            }
            #expect(desk.isStill(window))
        }
    }

    private static func pixels(_ places: [(Int, Int)], _ desk: any Desk) async throws -> [String] {
        var pixels: [String] = []
        for (x, y) in places { pixels.append(try await desk.pixel(x: x, y: y)) }
        return pixels
    }

    @Test(
        "Five windows of an app are covered and paused, and released together",
        arguments: DeskKind.longer
    )
    func many(kind: DeskKind) async throws {
        try await kind.run { desk in
            try await desk.grantAtOnce()
            let (window, own) = try await desk.alpha()
            var windows = [window]
            for _ in 0..<4 { windows.append(try await desk.open("alpha")) }
            try await desk.limit("alpha")
            try await desk.reaches(.paused, "alpha")
            try await eventually("all windows are paused") {
                let still = windows.map(desk.isStill)
                guard still.allSatisfy({ $0 }) else { throw NotYet("\(still)") }
            }
            try await desk.shows(own, in: DeskPlace.here, false)
            try await desk.grant("alpha")
            try await desk.isLifted("alpha")
            #expect(try windows.allSatisfy { try $0.text().isEmpty })
        }
    }

    @Test("A person who touches nothing at a shield is idle", arguments: DeskKind.longer)
    func idle(kind: DeskKind) async throws {
        try await kind.run([], settings: ["idle_ms": "4000"]) { desk in
            try await desk.logind.hold("idle", who: "opening", why: "A film", pid: 1)
            let (window, own) = try await desk.covered()
            try await desk.logind.release(who: "opening")
            try await eventually(within: .seconds(60), "the person is idle") {
                let last = try await desk.ledger().last
                guard last?.presence == .idle else { throw NotYet("\(String(describing: last))") }
            }
            try await desk.isCovered(window, own)
            #expect(desk.isStill(window))
        }
    }
}
