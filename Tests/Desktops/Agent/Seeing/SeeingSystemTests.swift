import STContracts
import STDesktop
import STDesktopCore
import STDesktopKit
import STEngine
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

@testable import desktop_agent

/// With the real auth-service and activity-center, on a screen that the test simulates.
@Suite("Observations of a scripted screen", .serialized)
struct SeeingSystemTests {
    private static let options = TestSystemOptions()

    private static func window(_ number: Int, _ app: String) -> DesktopWindow {
        DesktopWindow(id: WindowID("x11:\(number)"), windowClass: app)
    }

    private static func screen(_ apps: String...) -> ScriptedScreen {
        let screen = ScriptedScreen()
        screen.begin(
            with: apps.enumerated().map { .window(window($0.offset, $0.element)) }
                + [
                    .focus(WindowID("x11:0"), atBootMs: Stopwatch.bootMilliseconds()),
                    .ready(ScreenAbilities()),
                ]
        )
        return screen
    }

    /// Returns the rows and the open interval, without the fields that no test checks.
    private static func told(_ system: TestSystem) async throws -> [Segment] {
        var rows: [Segment] = []
        var next: String?
        repeat {
            let page = try await system.client.call(UsageList.self, .init(next: next))
            rows += page.rows
            next = page.next
        } while next != nil
        return rows + (try await system.client.call(UsageNow.self, Empty()).open)
    }

    private static func run(
        _ screen: ScriptedScreen,
        _ body: (TestSystem, AgentInProcess) async throws -> Void
    ) async throws {
        try await TestSystem.run(services: [.auth, .activity], options: options) { system in
            let agent = try await AgentInProcess(system.directories, screen: screen)
            do {
                try await body(system, agent)
            } catch {
                try? await agent.stop()
                throw error
            }
            try await agent.stop()
        }
    }

    @Test("Sixty changes of focus are recorded with their exact times and without gaps")
    func changes() async throws {
        let screen = Self.screen("editor", "browser", "game")
        try await Self.run(screen) { system, agent in
            try await eventually("the first observation") {
                guard try await !Self.told(system).isEmpty else { throw NotYet("nothing told") }
            }
            var truth: [(app: String, bootMs: Int64)] = []
            var random = SeededRandom(seed: 7)
            let apps = ["editor", "browser", "game"]
            var last = 0
            for _ in 0..<60 {
                last = (last + random.number(1...2)) % 3
                let bootMs = Stopwatch.bootMilliseconds()
                screen.tell(.focus(WindowID("x11:\(last)"), atBootMs: bootMs))
                truth.append((apps[last], bootMs))
                try await Task.sleep(for: .milliseconds(random.number(20...200)))
            }
            try await eventually("all of it is in the ledger") {
                let open = try await Self.told(system).last
                guard open?.startBootMs == truth.last?.bootMs else {
                    throw NotYet("\(String(describing: open))")
                }
            }
            let seen = try await Self.told(system).suffix(truth.count)

            #expect(seen.map(\.app) == truth.map(\.app))
            #expect(seen.map(\.startBootMs) == truth.map(\.bootMs))
            #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.endBootMs == $1.startBootMs })
            let status = try await agent.ask(DesktopStatus.self, Empty())
            #expect(status.source == "x11")
            #expect(status.app == truth.last?.app)
            #expect(status.member == AccountName.current)
            #expect(status.isBlind == false)
        }
    }

    /// A route that the service runs itself needs a JSON request that is found, decoded and answered in JSON. A step does not.
    /// Therefore no route may run, and each observation costs one request.
    @Test(
        "One change of focus costs one request to activity-center and three steps of the spool"
    )
    func cost() async throws {
        let screen = Self.screen("editor", "browser")
        try await Self.run(screen) { system, agent in
            try await eventually("the first observation is accepted") {
                let status = try await agent.ask(DesktopStatus.self, Empty())
                guard status.seen > 0, status.waiting == 0 else { throw NotYet("\(status)") }
            }
            let before = (try await agent.runs(), try await Self.served(system), agent.beats)
            screen.tell(.focus(WindowID("x11:1"), atBootMs: Stopwatch.bootMilliseconds()))
            try await eventually("the change is accepted") {
                guard try await Self.told(system).last?.app == "browser" else { throw NotYet("not yet") }
            }
            try await eventually("the row is removed from the spool") {
                guard Self.more(try await agent.runs(), than: before.0)["desktop.spool.done"] == 1 else {
                    throw NotYet("not yet")
                }
            }
            let after = (try await agent.runs(), try await Self.served(system), agent.beats)

            #expect(
                // Under load a follower may check once if it has missed events.
                Self.more(after.0, than: before.0).filter { $0.key != "events.since" }
                    == ["desktop.spool.add": 1, "desktop.spool.next": 1, "desktop.spool.done": 1],
                "the service took a step more than the spool needs"
            )
            #expect(
                Self.more(after.1, than: before.1) == ["usage.observe": 1 + after.2 - before.2],
                "the services were asked more than once"
            )
        }
    }

    /// Returns the numbers of requests to the services around the agent, without those of this test.
    private static func served(_ system: TestSystem) async throws -> [String: Int64] {
        var all: [String: Int64] = [:]
        for service in [ServiceName.auth, .activity] {
            let runs = try await system.client.call(HealthReport.self, to: service, Empty()).runs
            all.merge(runs) { $0 + $1 }
        }
        // Steps of a service itself are in no catalogue.
        return all.filter {
            $0.key != UsageList.name && $0.key != UsageNow.name && Catalogue.owner(ofRoute: $0.key) != nil
        }
    }

    private static func more(_ after: [String: Int64], than before: [String: Int64]) -> [String: Int64] {
        after.merging(before) { $0 - $1 }.filter { $0.value != 0 }
    }

    @Test("Every route of desktop-agent is available to some caller")
    func routes() {
        #expect(DesktopService.definition().routes.allSatisfy { !$0.info.access.isEmpty })
    }

    @Test("Usage is split when the person is idle or the app is shielded, and continues afterwards")
    func presence() async throws {
        let screen = Self.screen("editor", "game")
        try await Self.run(screen) { system, agent in
            try await eventually {
                guard try await Self.told(system).last?.app == "editor" else { throw NotYet("nothing told") }
            }
            let first = Stopwatch.bootMilliseconds()
            screen.tell(.idle(sinceBootMs: first))
            try await eventually("two seconds without a touch") {
                guard try await Self.told(system).last?.presence == .idle else { throw NotYet("still there") }
            }
            let second = Stopwatch.bootMilliseconds()
            screen.tell(.touched(atBootMs: second))
            try await Task.sleep(for: .milliseconds(50))
            screen.tell(.focus(WindowID("x11:1"), atBootMs: Stopwatch.bootMilliseconds()))
            try await Task.sleep(for: .milliseconds(50))
            await agent.hub.setShieldedApps(["game"])
            try await Task.sleep(for: .milliseconds(50))
            screen.tell(.focus(nil, atBootMs: Stopwatch.bootMilliseconds()))
            try await eventually {
                guard try await Self.told(system).count >= 6 else {
                    throw NotYet("\(try await Self.told(system))")
                }
            }
            let seen = try await Self.told(system)

            #expect(seen.map(\.presence) == [.active, .idle, .active, .active, .active, .active])
            #expect(seen.map(\.app) == ["editor", nil, "editor", "game", "game", nil])
            #expect(seen.map(\.shielded) == [nil, nil, nil, nil, true, nil])
            #expect(seen[1].startBootMs == first)
            #expect(seen[2].startBootMs == second)
        }
    }

    @Test("Usage is unobserved while the display is lost and between two runs of the agent")
    func lost() async throws {
        let screen = Self.screen("editor")
        try await Self.run(screen) { system, agent in
            try await eventually {
                guard try await Self.told(system).last?.app == "editor" else { throw NotYet("nothing told") }
            }
            screen.lose()
            try await eventually {
                guard try await Self.told(system).last?.presence == .unobserved else {
                    throw NotYet("still seen")
                }
            }
            #expect(try await agent.ask(DesktopStatus.self, Empty()).isBlind == true)
            screen.returns()
            try await eventually {
                guard try await Self.told(system).last?.app == "editor" else { throw NotYet("not back") }
            }
            #expect(screen.starts == 2)
            #expect(try await agent.ask(DesktopStatus.self, Empty()).isBlind == false)
            try await agent.stop()
            let next = try await AgentInProcess(system.directories, screen: screen)
            try await eventually {
                guard try await Self.told(system).count >= 5 else {
                    throw NotYet("the new agent told nothing")
                }
            }
            try await next.stop()
            #expect(
                try await Self.told(system).map(\.presence)
                    == [.active, .unobserved, .active, .unobserved, .active]
            )
        }
    }

    @Test("Observations made while activity-center is paused are recorded in order when it continues")
    func outage() async throws {
        let screen = Self.screen("editor", "browser")
        try await Self.run(screen) { system, agent in
            try await eventually {
                guard try await Self.told(system).last?.app == "editor" else { throw NotYet("nothing told") }
            }
            try system.pause(.activity)
            var moments: [Int64] = []
            for number in 0..<20 {
                moments.append(Stopwatch.bootMilliseconds())
                screen.tell(.focus(WindowID("x11:\(1 - number % 2)"), atBootMs: moments[number]))
                try await Task.sleep(for: .milliseconds(20))
            }
            // Long enough for a beat that cannot be sent.
            try await Task.sleep(for: .seconds(6))
            try system.resume(.activity)
            try await eventually {
                guard try await Self.told(system).last?.startBootMs == moments.last else {
                    throw NotYet("not yet")
                }
            }
            let seen = try await Self.told(system)
            #expect(seen.map(\.startBootMs).suffix(20) == moments[...])
            #expect(seen.allSatisfy { $0.presence == .active })
            let before = try await agent.ask(DesktopStatus.self, Empty()).seen
            try await eventually {
                guard try await agent.ask(DesktopStatus.self, Empty()).seen > before else {
                    throw NotYet("no beat")
                }
            }
        }
    }
}
