import STContracts
import STDesktop
import STDesktopCore
import STDesktopKit
import STPlatform
import STScreen
import STServiceKit
import STTestKit
import STTestSupport
import STZeroMQ

@testable import desktop_agent

/// desktop-agent in the test's own process, connected as in its Main, on a screen that the test simulates.
final class AgentInProcess: Sendable {
    let screen: ScriptedScreen
    let hub: DesktopHub
    private let host: AgentHost
    private let facts: DesktopFacts
    private let work: Task<Void, any Error>

    init(_ directories: Directories, screen: ScriptedScreen, idleMs: Int64 = 2_000) async throws {
        let facts = DesktopFacts()
        let seat = SessionMemberRelay()
        let host = try await AgentHost(
            directories,
            environment: ["SCREENTIME_DESKTOP_AGENT_IDLE_MS": "\(idleMs)"],
            DesktopService.definition(facts: facts, policy: { seat.apply($0) })
        )
        let hub = DesktopHub(
            host.surroundings,
            sender: host.sender,
            facts: facts,
            parts: .init(
                choose: {
                    ChosenScreen(
                        choice: AdapterChoice(kind: screen.kind, reason: Message(verbatim: "It is a test.")),
                        screen: screen
                    )
                },
                presence: SessionPresence(host.surroundings),
                resolveApp: { WindowNaming.app(of: $0) }
            )
        )
        self.screen = screen
        self.hub = hub
        self.host = host
        self.facts = facts
        seat.connect(hub, host.surroundings.loop.thread)
        work = host.run(hub)
    }

    func ask<R: Route>(_ route: R.Type, _ request: R.Request) async throws -> R.Reply {
        try await host.client.call(route, to: .desktop, request)
    }

    /// Number of observations that were sent directly, because they only repeated the preceding one.
    var beats: Int64 { facts.observation?.heartbeats ?? 0 }

    /// Returns the number of runs of each of the service's routes and steps.
    func runs() async throws -> [String: Int64] { try await ask(HealthReport.self, Empty()).runs }

    func stop() async throws { try await host.stop(work) }
}

/// Names apps by their windows, without the apps of this computer.
enum WindowNaming {
    static func app(of window: DesktopWindow) -> AppIdentity? {
        let names = [window.desktopFile, window.windowClass, window.instance]
        guard let name = names.compactMap(\.self).first(where: { !$0.isEmpty }) else { return nil }
        let step = Message(verbatim: "The window calls itself “\(name)”.")
        return AppIdentity(id: name, clue: .itself, steps: [step])
    }
}

extension HealthReport.Reply {
    /// The number of runs of each route and step, without this request itself.
    var runs: [String: Int64] {
        Dictionary(uniqueKeysWithValues: routes.map { ($0.route, $0.count) })
            .filter { $0.key != HealthReport.name }
    }
}
