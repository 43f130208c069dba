import STContracts
import STDesktop
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

/// What Screen Time does the same on every desktop.
@Suite("On X11, sway, GNOME Shell and KWin", .serialized)
struct DeskTests {
    private static let place = ScreenRect(x: 220, y: 140, width: 480, height: 360)
    private static let elsewhere = ScreenRect(x: 640, y: 300, width: 480, height: 360)
    /// On the monitor beside the first.
    private static let beyond = ScreenRect(x: 1_540, y: 160, width: 480, height: 360)
    private static let large = ScreenRect(x: 100, y: 100, width: 700, height: 500)
    private static let crossings = XHouse.isSoak ? 20 : 3
    /// So long that a window is at its place before.
    private static let budgetMs: Int64 = 4_000
    private static let waves = XHouse.isSoak ? 20_000 : 2_000
    private static let slackMs: Int64 = XHouse.isSoak ? 250 : 3_000
    private static let activations = XHouse.isSoak ? 500 : 60

    /// Well within the window's corners: what a window manager draws around it is none of the cover's.
    private static func corners(_ frame: ScreenRect) -> [(x: Int, y: Int)] {
        let (left, right) = (frame.x + 14, frame.x + frame.width - 14)
        let (top, bottom) = (frame.y + 40, frame.y + frame.height - 14)
        return [(left, top), (right, top), (left, bottom), (right, bottom)]
    }

    private static func pixels(_ frame: ScreenRect, _ desk: any Desk) async throws -> [String] {
        var pixels: [String] = []
        for (x, y) in corners(frame) { pixels.append(try await desk.pixel(x: x, y: y)) }
        return pixels
    }

    private static func shows(_ own: String, in frame: ScreenRect, _ isShown: Bool, _ desk: any Desk)
        async throws
    {
        try await eventually(within: .seconds(20), "the window is \(isShown ? "shown" : "not shown") there") {
            let pixels = try await pixels(frame, desk)
            guard pixels.allSatisfy({ ($0 == own) == isShown }) else {
                throw NotYet("\(pixels), its own \(own)")
            }
        }
    }

    /// A window at its place, with the colour that is its own.
    private static func alpha(_ desk: any Desk) async throws -> (window: DeskWindow, own: String) {
        let window = try await desk.open("alpha")
        try await desk.put("alpha", place)
        let own = try await eventually(within: .seconds(20), "the window is at its place") {
            let pixels = try await pixels(place, desk)
            guard let own = pixels.first, pixels.allSatisfy({ $0 == own }),
                own != (try await desk.pixel(x: 1_200, y: 700))
            else { throw NotYet("\(pixels)") }
            return own
        }
        return (window, own)
    }

    @Test("the app in front counts, and the next one after it", arguments: DeskKind.possible)
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

    /// The last stretch of it that began since then: where the person is away for two seconds, another one follows.
    private static func presence(_ wanted: Presence, _ desk: any Desk, sinceMs: Int64) async throws -> Int64 {
        try await eventually(within: .seconds(20), "\(wanted) is in the ledger") {
            let rows = try await desk.ledger()
            guard let row = rows.last(where: { $0.presence == wanted && $0.startBootMs >= sinceMs }) else {
                throw NotYet("\(rows.suffix(3))")
            }
            return row.startBootMs
        }
    }

    /// An untouched person is idle before a window is open: a film keeps them there meanwhile.
    private static func alphaBeforeIdle(_ desk: any Desk) async throws -> DeskWindow {
        try await desk.logind.hold("idle", who: "opening", why: "A film", pid: 1)
        let window = try await alpha(desk).window
        try await desk.logind.release(who: "opening")
        let touched = try await touch(desk, over: elsewhere)
        try await desk.inFront("alpha")
        // What began with the end of the film is not taken for what begins with the next touch.
        #expect(comesTrue(within: .seconds(20)) { Stopwatch.bootMilliseconds() > touched.upperBound + 400 })
        return window
    }

    /// Between which moments the pointer was moved; to where it is already would be no touch.
    private static func touch(_ desk: any Desk, over frame: ScreenRect = place) async throws
        -> ClosedRange<Int64>
    {
        let fromMs = Stopwatch.bootMilliseconds()
        try await desk.wave(2, over: frame)
        // The display's clock may be a little off ours.
        return (fromMs - 10)...Stopwatch.bootMilliseconds()
    }

    @Test("stops counting when nothing was touched, and at a lock at once", arguments: DeskKind.further)
    func absence(kind: DeskKind) async throws {
        try await kind.run([], ["idle_ms": "2000"]) { desk in
            let window = try await Self.alphaBeforeIdle(desk)
            let touched = try await Self.touch(desk)
            // After two seconds, and since the touch.
            let least = touched.lowerBound - kind.idleErrorMs
            let idleMs = try await Self.presence(.idle, desk, sinceMs: least)
            #expect((least...touched.upperBound + Self.slackMs).contains(idleMs))
            let back = try await Self.touch(desk, over: Self.elsewhere)
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

    @Test("a film in front counts without a touch, until it ends", arguments: DeskKind.further)
    func film(kind: DeskKind) async throws {
        try await kind.run([], ["idle_ms": "2000"]) { desk in
            let window = try await Self.alphaBeforeIdle(desk)
            try await desk.logind.hold("idle", who: "alpha", why: "A film", pid: window.program.process.pid)
            let touched = try await Self.touch(desk)
            // Three times as long as without it.
            let longMs = touched.upperBound + 6_000
            #expect(comesTrue(within: .seconds(20)) { Stopwatch.bootMilliseconds() > longMs })
            let rows = try await desk.ledger().filter { $0.endBootMs > touched.upperBound }
            #expect(rows.allSatisfy { $0.presence == .active && $0.app == "alpha" }, "\(rows)")
            let endMs = Stopwatch.bootMilliseconds()
            try await desk.logind.release(who: "alpha")
            let idleMs = try await Self.presence(.idle, desk, sinceMs: endMs - 20)
            #expect(idleMs <= endMs + Self.slackMs)
        }
    }

    @Test(
        "a limit counts down in a corner, and an app's question comes into the middle",
        arguments: DeskKind.possible
    )
    func panels(kind: DeskKind) async throws {
        try await kind.run([], ["idle_ms": "3600000", "countdown": "on", "language": "en"]) { desk in
            let (window, own) = try await Self.alpha(desk)
            let corner = (x: 1_240, y: kind == .x11 ? 760 : 50)
            let bare = try await desk.pixel(x: corner.x, y: corner.y)
            try await desk.limit("alpha", ms: 120_000)
            try await eventually(within: .seconds(60), "something is counted down") {
                guard try await desk.pixel(x: corner.x, y: corner.y) != bare else { throw NotYet(bare) }
            }
            let member = try await desk.ask(DesktopStatus.self, Empty()).member ?? ""
            _ = try await desk.ask(MemberPasscode.self, .init(member: member, passcode: "open sesame"))
            let bundle = try desk.bundle("focus-timer")
            _ = try await desk.ask(AppInstall.self, .init(bundle: bundle, programs: nil))
            let asked = try await desk.ask(
                AuthRequest.self,
                .init(app: "focus-timer", scope: .individual, again: true)
            )
            let question = try #require(asked.question)
            let middle = (x: 660, y: 400)
            try await eventually(within: .seconds(60), "the question is there") {
                guard try await desk.pixel(x: middle.x, y: middle.y) != own else { throw NotYet(own) }
            }
            // Who reads a question is still at the app, and its time goes on.
            try await desk.inFront("alpha")
            try await desk.keepPicture("panels-\(kind)")
            #expect(try await desk.pixel(x: corner.x, y: corner.y) != bare)
            _ = try await desk.ask(AuthAnswer.self, .init(request: question.request, allow: false))
            try await eventually(within: .seconds(60), "the question is gone") {
                let pixel = try await desk.pixel(x: middle.x, y: middle.y)
                guard pixel == own else { throw NotYet(pixel) }
            }
            try await eventually("keys come to the app again") {
                try await desk.type("1")
                guard comesTrue(within: .seconds(1), { try window.text().hasPrefix("1") }) else {
                    throw NotYet(try window.text())
                }
            }
        }
    }

    @Test("a shield holds pointer and keys, and the app goes on where it was", arguments: DeskKind.possible)
    func limit(kind: DeskKind) async throws {
        try await kind.run { desk in
            try await desk.grantAtOnce()
            let (window, own) = try await Self.alpha(desk)
            try await desk.type("kept")
            #expect(comesTrue { try window.text() == "kept" })
            try await desk.limit("alpha")
            try await desk.reaches(.paused, "alpha")
            #expect(desk.isStill(window))
            try await Self.shows(own, in: Self.place, false, desk)
            try await desk.keepPicture("desk-\(kind)")
            try await desk.type("lost")
            try await desk.click(x: Self.place.x + 60, y: Self.place.y + 60)
            try await desk.type("lost")

            try await desk.grant("alpha")
            try await desk.isLifted("alpha")
            try await Self.shows(own, in: Self.place, true, desk)
            #expect(try window.text() == "kept")
            try await eventually("keys come to it again") {
                try await desk.type("1")
                guard comesTrue(within: .seconds(1), { try window.text().hasPrefix("kept1") }) else {
                    throw NotYet(try window.text())
                }
            }
        }
    }

    @Test(
        "a shield goes where its window goes, away and back",
        arguments: DeskKind.possible
    )
    func follows(kind: DeskKind) async throws {
        try await kind.run { try await Self.follows(to: Self.elsewhere, $0) }
    }

    @Test("a shield goes with its window to another monitor", arguments: DeskKind.further)
    func monitors(kind: DeskKind) async throws {
        try await kind.run(outputs: 2) { desk in
            try await Self.follows(to: Self.beyond, desk)
            try await Self.press(in: Self.beyond, desk)
        }
    }

    @Test(
        "a shield fits its window on a screen with more pixels, and its button is where it is seen",
        arguments: DeskKind.further.filter { $0 != .x11 }
    )
    func scaled(kind: DeskKind) async throws {
        try await kind.run(scale: 1.5) { desk in
            try await Self.follows(to: Self.elsewhere, desk)
            try await desk.keepPicture("scaled-\(kind)")
            try await Self.press(in: Self.elsewhere, desk)
        }
    }

    /// The first button of the shield there, by its colour.
    private static func press(in frame: ScreenRect, _ desk: any Desk) async throws {
        let x = frame.x + frame.width / 2 + 40
        for y in stride(from: frame.y + 100, to: frame.y + frame.height, by: 10)
        where try await desk.pixel(x: x, y: y).lowercased().hasSuffix("a62db") {
            try await desk.click(x: x, y: y)
            return try await eventually("alpha is no longer in front") {
                let status = try await desk.ask(DesktopStatus.self, Empty())
                guard status.app != "alpha" else { throw NotYet("\(status)") }
            }
        }
        Issue.record("no button was seen in \(frame)")
    }

    private static func follows(to elsewhere: ScreenRect, _ desk: any Desk) async throws {
        let bare = (
            here: try await Self.pixels(Self.place, desk)[0],
            there: try await Self.pixels(elsewhere, desk)
        )
        let (window, own) = try await Self.alpha(desk)
        try await desk.limit("alpha")
        try await desk.reaches(.paused, "alpha")
        try await Self.shows(own, in: Self.place, false, desk)
        try await desk.put("alpha", elsewhere)
        try await desk.reaches(.paused, "alpha")
        try await Self.shows(own, in: elsewhere, false, desk)
        #expect(
            try await Self.pixels(Self.place, desk)[0] == bare.here,
            "the desktop is bare where it was"
        )

        try await desk.minimize("alpha")
        try await eventually("nothing of it is seen") {
            let pixels = try await Self.pixels(elsewhere, desk)
            guard pixels == bare.there else { throw NotYet("\(pixels)") }
        }
        try await desk.bring("alpha")
        try await desk.reaches(.paused, "alpha")
        try await Self.shows(own, in: elsewhere, false, desk)
        #expect(desk.isStill(window))
    }

    @Test(
        "a new window of a shielded app is covered and stands still like the first",
        arguments: DeskKind.further
    )
    func second(kind: DeskKind) async throws {
        try await kind.run { desk in
            let (window, _) = try await Self.alpha(desk)
            try await desk.limit("alpha")
            try await desk.reaches(.paused, "alpha")
            let other = try await desk.open("alpha")
            try await eventually(within: .seconds(60), "both stand still behind their covers") {
                let shield = try await desk.shield("alpha")
                guard shield?.stage == .paused, desk.isStill(window), desk.isStill(other) else {
                    throw NotYet("\(String(describing: shield))")
                }
            }
            try await desk.type("lost")
            #expect(window.program.process.reap() == nil && other.program.process.reap() == nil)
        }
    }

    @Test("a menu that is open when the shield comes lies not over it", arguments: DeskKind.possible)
    func menu(kind: DeskKind) async throws {
        try await kind.run { desk in
            let (window, own) = try await Self.alpha(desk)
            try await desk.click(x: Self.place.x + 100, y: Self.place.y + 100)
            try await desk.openMenu(of: window)
            // Of X11 it is somewhere else, and its test is one of its own.
            let corner = Self.corners(Self.place)[0]
            let menu = try await eventually("the menu is seen") {
                let pixel = try await desk.pixel(x: corner.x, y: corner.y)
                guard pixel != own || kind == .x11 else { throw NotYet(pixel) }
                return pixel
            }
            try await desk.keepPicture("menu-open-\(kind)")
            let bare = try await desk.pixel(x: 1_200, y: 700)
            try await desk.limit("alpha")
            try await desk.reaches(.paused, "alpha")
            try await Self.shows(own, in: Self.place, false, desk)
            try await desk.keepPicture("menu-\(kind)")
            #expect(try await !Self.pixels(Self.place, desk).contains(menu))
            #expect(desk.isStill(window))
            #expect(try await desk.pixel(x: 1_200, y: 700) == bare)
        }
    }

    @Test("the first covered pixel comes soon after the time is used up", arguments: DeskKind.possible)
    func crossing(kind: DeskKind) async throws {
        let apps = (0..<Self.crossings).map { "app\($0)" }
        try await kind.run(apps) { desk in
            let corner = (x: Self.large.x + 12, y: Self.large.y + Self.large.height - 12)
            let bare = try await desk.pixel(x: corner.x, y: corner.y)
            let eye = try await desk.watch(x: corner.x, y: corner.y)
            var values: [Int64] = []
            for app in apps {
                try await desk.limit(app, ms: Self.budgetMs)
                let window = try await desk.open(app)
                try await desk.put(app, Self.large)
                let own = try await eventually("the window is at its place") {
                    let pixel = try await desk.pixel(x: corner.x, y: corner.y)
                    guard pixel != bare else { throw NotYet(pixel) }
                    return pixel
                }
                _ = try await eye.next(own, isSeen: true)
                let seenUs = try await eye.next(own, isSeen: false)
                try await desk.reaches(.paused, app)
                let row = try #require(
                    try await desk.ledger().first { $0.app == app && $0.presence == .active }
                )
                values.append(seenUs - (row.startBootMs + Self.budgetMs) * 1_000)
                try await desk.end(window)
                try await desk.isLifted(app)
            }
            let figures = Figures(values)
            print("from the crossing to the first covered pixel, 700x500, \(kind): \(figures)")
            #expect(figures.least >= -5_000)
            #expect(figures.most <= (XHouse.isSoak ? 150_000 : 10_000_000))
        }
    }

    @Test(
        "a full screen app is covered wholly",
        arguments: DeskKind.possible
    )
    func fullscreen(kind: DeskKind) async throws {
        try await kind.run { desk in
            let (window, own) = try await Self.alpha(desk)
            try await desk.fullscreen(window)
            let far = [(4, 4), (1_270, 4), (4, 710), (1_270, 710)]
            try await eventually("it has the whole screen") {
                for (x, y) in far {
                    let pixel = try await desk.pixel(x: x, y: y)
                    guard pixel == own else { throw NotYet(pixel) }
                }
            }
            try await desk.limit("alpha")
            try await desk.reaches(.paused, "alpha")
            try await eventually("nothing of it is seen") {
                for (x, y) in far {
                    let pixel = try await desk.pixel(x: x, y: y)
                    guard pixel != own else { throw NotYet("\(x) \(y)") }
                }
            }
            try await desk.keepPicture("fullscreen-\(kind)")
            #expect(desk.isStill(window))
        }
    }

    @Test("a shield over an app that is behind another comes behind it, too", arguments: DeskKind.further)
    func behind(kind: DeskKind) async throws {
        try await kind.run { desk in
            let (window, own) = try await Self.alpha(desk)
            try await desk.limit("alpha")
            try await desk.reaches(.paused, "alpha")
            let other = try await desk.open("beta")
            let place = ScreenRect(x: 420, y: 260, width: 480, height: 360)
            try await desk.put("beta", place)
            let beta = try await eventually("it is at its place") {
                let pixels = try await Self.pixels(place, desk)
                guard pixels.dropFirst().allSatisfy({ $0 == pixels[1] }) else { throw NotYet("\(pixels)") }
                return pixels[1]
            }
            // The next agent puts up its covers while the other app is in front.
            try await desk.killAgent()
            try await desk.inFront("beta")
            try await desk.reaches(.paused, "alpha")
            try await eventually("the shield lies beneath") {
                let (left, shared) = (
                    try await desk.pixel(x: 240, y: 200), try await desk.pixel(x: 460, y: 440)
                )
                guard left != own, shared == beta else { throw NotYet("\(left) \(shared), \(own) \(beta)") }
            }
            try await desk.keepPicture("behind-\(kind)")
            try await desk.inFront("beta")
            try await desk.type("by keys")
            #expect(comesTrue { try other.text().hasSuffix("by keys") })
            #expect(desk.isStill(window) && !desk.isStill(other))
        }
    }

    @Test("an app beside a shield takes keys and clicks", arguments: DeskKind.possible)
    func beside(kind: DeskKind) async throws {
        try await kind.run { desk in
            let (window, _) = try await Self.alpha(desk)
            try await desk.limit("alpha")
            try await desk.reaches(.paused, "alpha")
            let other = try await desk.open("beta")
            try await desk.type("by keys")
            #expect(comesTrue { try other.text().hasSuffix("by keys") })
            try await desk.bring("alpha")
            try await desk.inFront("alpha")
            try await desk.type("lost")
            try await desk.bring("beta")
            try await desk.inFront("beta")
            try await desk.type("again")
            #expect(comesTrue { try other.text().hasSuffix("again") })
            #expect(try !other.text().contains("lost"))
            #expect(desk.isStill(window))
        }
    }

    @Test(
        "a paused app outlives the pointer over it, and being called again and again",
        arguments: DeskKind.possible
    )
    func outlives(kind: DeskKind) async throws {
        try await kind.run { desk in
            try await desk.grantAtOnce()
            let (window, own) = try await Self.alpha(desk)
            try await desk.limit("alpha")
            try await desk.reaches(.paused, "alpha")
            let other = try await desk.open("beta")
            try await desk.wave(Self.waves, over: Self.place)
            for turn in 0..<Self.activations { try await desk.bring(turn % 2 == 0 ? "alpha" : "beta") }
            try await desk.bring("alpha")
            try await desk.inFront("alpha")
            try await desk.reaches(.paused, "alpha")

            try await desk.grant("alpha")
            try await desk.isLifted("alpha")
            try await Self.shows(own, in: Self.place, true, desk)
            #expect(window.program.process.reap() == nil)
            #expect(try window.text().isEmpty && other.text().isEmpty)
        }
    }

    @Test(
        "when KWin dies behind a shield and begins again, the next window of the app is covered, too",
        arguments: DeskKind.possible.filter { [.kwin5, .kwin6, .kwinNewest].contains($0) }
    )
    func crashed(kind: DeskKind) async throws {
        try await kind.run { desk in
            let kwin = try #require(desk as? KwinHouse).kwin
            let (window, own) = try await Self.alpha(desk)
            try await desk.limit("alpha")
            try await desk.reaches(.paused, "alpha")
            try await kwin.crash()
            try await desk.end(window)
            let other = try await desk.open("beta")
            try await desk.put("beta", Self.elsewhere)

            let again = try await desk.open("alpha")
            try await desk.put("alpha", Self.place)
            try await desk.reaches(.paused, "alpha")
            try await Self.shows(own, in: Self.place, false, desk)
            #expect(desk.isStill(again))
            try await desk.bring("beta")
            try await desk.inFront("beta")
            try await desk.type("by keys")
            #expect(comesTrue { try other.text().hasSuffix("by keys") })
        }
    }

    @Test(
        "after the agent is killed the next one covers its apps again, and lifts their shields",
        arguments: DeskKind.possible
    )
    func killed(kind: DeskKind) async throws {
        try await kind.run { desk in
            try await desk.grantAtOnce()
            let (window, own) = try await Self.alpha(desk)
            try await desk.limit("alpha")
            try await desk.reaches(.paused, "alpha")
            try await desk.killAgent()
            try await desk.reaches(.paused, "alpha")
            try await Self.shows(own, in: Self.place, false, desk)
            #expect(desk.isStill(window))

            try await desk.grant("alpha")
            try await desk.isLifted("alpha")
            try await Self.shows(own, in: Self.place, true, desk)
            #expect(try window.text().isEmpty && !desk.isStill(window))
        }
    }
}
