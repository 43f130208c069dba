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

/// desktop-agent in the test's own process, wired as its Main does it, but on a screen that the test plays.
final class AgentInProcess: Sendable {
    let screen: ScriptedScreen
    let hub: DesktopHub
    private let host: AgentHost
    private let facts: DesktopFacts
    private let work: Task<Void, any Error>

    init(_ directories: Directories, screen: ScriptedScreen, idleMs: Int64 = 2_000) async throws {
        let facts = DesktopFacts()
        let seat = SeatWire()
        let host = try await AgentHost(
            directories,
            environment: ["SCREENTIME_DESKTOP_AGENT_IDLE_MS": "\(idleMs)"],
            DesktopService.definition(facts: facts, policy: { seat.put($0) })
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
                naming: { WindowNaming.app(of: $0) }
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

    /// Observations that went straight, because they said no more than "still so".
    var beats: Int64 { facts.sight?.beats ?? 0 }

    /// How often the service has run each of its routes and steps.
    func runs() async throws -> [String: Int64] { try await ask(HealthReport.self, Empty()).runs }

    /// May be called again.
    func stop() async throws { try await host.stop(work) }
}

/// What a window calls itself, in place of the apps of this computer.
enum WindowNaming {
    static func app(of window: DesktopWindow) -> AppIdentity? {
        let names = [window.desktopFile, window.windowClass, window.instance]
        guard let name = names.compactMap(\.self).first(where: { !$0.isEmpty }) else { return nil }
        let step = Message(verbatim: "The window calls itself “\(name)”.")
        return AppIdentity(id: name, clue: .itself, steps: [step])
    }
}

extension HealthReport.Reply {
    /// How often each route and step was run, without the question itself.
    var runs: [String: Int64] {
        Dictionary(uniqueKeysWithValues: routes.map { ($0.route, $0.count) })
            .filter { $0.key != HealthReport.name }
    }
}
