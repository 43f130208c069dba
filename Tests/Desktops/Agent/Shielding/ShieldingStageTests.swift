import Glibc
import STContracts
import STDesktop
import STDesktopCore
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

@testable import desktop_agent

@Suite("Shields with the real services", .serialized)
struct ShieldingStageTests {
    private static let frame = ScreenRect(x: 0, y: 0, width: 640, height: 480)

    private static func window(_ number: Int, _ app: String = ShieldingSystem.game) -> DesktopWindow {
        DesktopWindow(
            id: WindowID("x11:\(number)"),
            windowClass: app,
            pid: Int32(1_000 + number),
            frame: frame
        )
    }

    private static func screen(_ count: Int = 1) -> ObedientScreen {
        let windows = (1...count).map { window($0) } + [window(900, "org.editor")]
        return ObedientScreen(windows, focus: WindowID("x11:1"))
    }

    @Test("A shield is drawn in Korean, pauses, requests time and lifts, and remains without shield-service")
    func story() async throws {
        try await ShieldingSystem.run { world in
            let screen = Self.screen()
            let agent = try await ShieldingAgent(world.system.directories, screen)
            do {
                try await story(world, agent: agent, screen: screen)
            } catch {
                print(agent.shields)
                try await agent.stop()
                throw error
            }
            try await agent.stop()
            #expect(access(agent.pictures, F_OK) != 0)
            try await again(world)
        }
    }

    private func story(_ world: ShieldingSystem, agent: ShieldingAgent, screen: ObedientScreen)
        async throws
    {
        try await world.shield()
        try await eventually("the game is covered, painted and held") {
            guard let shield = agent.shields.first, shield.stage == .paused, shield.shield != nil,
                screen.panes.first?.picture != nil
            else { throw NotYet("\(agent.shields)") }
        }
        let pane = try #require(screen.panes.first)
        #expect(pane.order.name == "스크린 타임: 게임 사용 제한")
        let picture = try #require(pane.picture)
        var status = stat()
        #expect(stat(picture.path, &status) == 0)
        #expect(status.st_size == 640 * 480 * 4)
        #expect(picture.spots.contains { $0.id == "primary" })
        #expect(await agent.pauser.held == [ShieldingSystem.game])
        let list = try await world.system.client.call(ShieldList.self, .init())
        #expect(list.shields.map(\.shield) == agent.shields.map { $0.shield ?? "" })
        // The system's own look has a button that opens a menu of additional times.
        screen.tell(.pane(pane.order.id, .pressed("secondary")))
        screen.tell(.pane(pane.order.id, .pressed("second_submenu")))
        try await eventually("more time is requested") {
            let requests = try await world.system.client.call(RequestList.self, .init()).requests
            guard requests.map(\.durationMs) == [900_000] else { throw NotYet("\(agent.shields)") }
        }
        screen.tell(.pane(pane.order.id, .key(.cancel)))
        try await eventually("the app's windows are minimised") {
            if !screen.acts.contains(.minimize([WindowID("x11:1")])) { throw NotYet("\(screen.acts)") }
        }
        try await world.clear()
        try await eventually("the shield is removed") {
            let held = await agent.pauser.held
            if !screen.panes.isEmpty || !held.isEmpty { throw NotYet("\(agent.shields)") }
        }
        #expect(await agent.pauser.story.last == "thaw \(ShieldingSystem.game)")
        try await world.shield()
        try await eventually("it is covered again") { if screen.panes.isEmpty { throw NotYet("not yet") } }
        // There are no replies from now on.
        _ = try world.system.stop(.shield)
        screen.tell(.window(Self.window(2)))
        screen.tell(.focus(WindowID("x11:2"), atBootMs: Stopwatch.bootMilliseconds()))
        try await eventually("the other window is covered too") {
            if screen.panes.count != 2 { throw NotYet("\(screen.panes.count)") }
        }
    }

    /// Starts another agent, still without shield-service.
    private func again(_ world: ShieldingSystem) async throws {
        let screen = Self.screen()
        let agent = try await ShieldingAgent(world.system.directories, screen)
        do {
            try await eventually("the policy still applies, with the default appearance") {
                let held = await agent.pauser.held
                guard screen.panes.count == 1, held == [ShieldingSystem.game],
                    screen.panes.first?.picture != nil
                else { throw NotYet("\(agent.shields)") }
            }
            let pane = try #require(screen.panes.first)
            screen.tell(.pane(pane.order.id, .pressed("primary")))
            try await eventually("the windows are minimised without a reply") {
                if !screen.acts.contains(.minimize([WindowID("x11:1")])) { throw NotYet("\(agent.shields)") }
            }
        } catch {
            print(agent.shields)
            try await agent.stop()
            throw error
        }
        try await agent.stop()
        try world.system.start(.shield)
    }

    @Test(
        "A paused app is paused again if another program continues it, and resumed if the display does not answer"
    )
    func doubts() async throws {
        try await ShieldingSystem.run { world in
            let screen = Self.screen()
            let agent = try await ShieldingAgent(world.system.directories, screen)
            let game = ShieldingSystem.game
            do {
                try await world.shield()
                try await eventually("the app is paused") {
                    guard agent.shields.first?.stage == .paused else { throw NotYet("\(agent.shields)") }
                }
                await agent.pauser.letGo(game)
                try await eventually("the app is paused again") {
                    let story = await agent.pauser.story
                    if story != ["pause \(game)", "pause \(game)"] { throw NotYet("\(story)") }
                }
                screen.beSilent(true)
                try await eventually("the app is resumed") {
                    let story = await agent.pauser.story
                    if story.last != "thaw \(game)" { throw NotYet("\(story)") }
                }
                #expect(agent.shields.first?.notPaused?.english.contains("did not answer") == true)
                #expect(screen.panes.count == 1)
            } catch {
                screen.beSilent(false)
                try await agent.stop()
                throw error
            }
            screen.beSilent(false)
            try await agent.stop()
        }
    }

    @Test("A window whose app is identified later is covered at that time")
    func knownLater() async throws {
        try await ShieldingSystem.run { world in
            let screen = ObedientScreen([Self.window(1, "raw")], focus: WindowID("x11:1"))
            let agent = try await ShieldingAgent(world.system.directories, screen)
            try await world.shield()
            try await eventually("the agent has received the policy") {
                let isKnown = await agent.decide(ShieldSubject(app: ShieldingSystem.game))
                if !isKnown { throw NotYet("not yet") }
            }
            #expect(screen.panes.isEmpty)

            await agent.learn("raw", is: ShieldingSystem.game)

            try await eventually("the app is covered") {
                if screen.panes.isEmpty { throw NotYet("\(agent.shields)") }
            }
            try await agent.stop()
        }
    }

    @Test(
        "Each of 14 changes of the policy covers all windows, and its latency is measured",
        arguments: [1, 200]
    )
    func latency(count: Int) async throws {
        try await ShieldingSystem.run { world in
            let screen = Self.screen(count)
            let agent = try await ShieldingAgent(world.system.directories, screen)
            var whole: [Int64] = []
            var own: [Int64] = []
            do {
                for round in 0..<15 {
                    let startNs = Stopwatch.nanoseconds()
                    try await world.shield()
                    try await eventually("all windows are covered") {
                        if screen.panes.count != count { throw NotYet("\(screen.panes.count)") }
                    }
                    let opened = screen.panes.map(\.openedNs)
                    // In the first round the services still have to learn about each other.
                    if round > 0 {
                        whole.append(((opened.max() ?? 0) - startNs) / 1_000)
                        own.append(((opened.max() ?? 0) - agent.moment.last) / 1_000)
                    }
                    try await world.clear()
                    try await eventually("all shields are removed") {
                        if !screen.panes.isEmpty { throw NotYet("\(screen.panes.count)") }
                    }
                }
            } catch {
                try await agent.stop()
                throw error
            }
            try await agent.stop()
            let middle = (whole.sorted()[whole.count / 2], own.sorted()[own.count / 2])
            print(
                "\(count) windows: settings.set to last openPane: median \(middle.0) us, most \(whole.max() ?? 0) us; "
                    + "policy out of the stream to last openPane: median \(middle.1) us, most \(own.max() ?? 0) us"
            )
            #expect(whole.count == 14)
        }
    }

    @Test("Decisions of desktop-agent equal those of shield-service for all kinds of stores")
    func equal() async throws {
        try await ShieldingSystem.run { world in
            let screen = Self.screen()
            let agent = try await ShieldingAgent(world.system.directories, screen)
            do {
                try await equal(world, agent)
            } catch {
                try await agent.stop()
                throw error
            }
            try await agent.stop()
        }
    }

    private func equal(_ world: ShieldingSystem, _ agent: ShieldingAgent) async throws {
        let apps = [ShieldingSystem.game, "firefox", "org.telegram.desktop", "steam", "gimp", "org.unknown"]
        let domains = ["youtube.com", "news.ycombinator.com", "example.org", "www.facebook.com"]
        let categories = ["games", "social", "entertainment", "productivity"]
        var random = SeededRandom(seed: 2051)
        var verdicts: [Bool: Int] = [:]
        for round in 0..<25 {
            func some(_ kind: TokenKind, _ names: [String]) -> JSONValue {
                let chosen = names.filter { _ in random.chance(percent: 35) }
                return ShieldingSystem.things(chosen.map { TokenItem(kind: kind, id: $0) })
            }
            let reach = random.pick(["none", "specific", "all"]) ?? "none"
            let policy = JSONValue.object([
                "policy": .string(reach),
                "categories": reach == "specific" ? some(.category, categories) : .array([]),
                "except": reach == "none" ? .array([]) : some(.application, apps),
            ])
            let settings: [String: JSONValue] = [
                "shield.applications": some(.application, apps),
                "shield.webDomains": some(.domain, domains),
                "shield.applicationCategories": policy,
            ]
            try await world.set(settings, store: "store\(round % 3)")
            for app in apps + [nil] {
                for domain in domains + [nil] where app != nil || domain != nil {
                    let subject = ShieldSubject(app: app, domain: domain)
                    let there = try await world.system.client.call(ShieldDecide.self, .init(subject: subject))
                    try await eventually("both make the same decision for \(subject)") {
                        let here = await agent.decide(subject)
                        if here != there.decision.isShielded { throw NotYet("round \(round): \(here) here") }
                    }
                    verdicts[there.decision.isShielded, default: 0] += 1
                }
            }
        }
        let rounds = 25 * ((apps.count + 1) * (domains.count + 1) - 1)
        #expect(verdicts.values.reduce(0, +) == rounds)
        #expect((verdicts[true] ?? 0) > rounds / 10 && (verdicts[false] ?? 0) > rounds / 10, "\(verdicts)")
    }
}
