import STContracts
import STDesktop
import STDesktopCore
import STDesktopKit
import STEngine
import STPlatform
import STScreen
import STServiceKit
import STStore
import STTestKit
import STTestSupport
import STZeroMQ
import Synchronization

@testable import desktop_agent

/// desktop-agent in the test's own process, wired as its Main does it, but on a screen that the test plays.
final class AgentInProcess: Sendable {
    let screen: ScriptedScreen
    let hub: DesktopHub
    private let host: ServiceHost<DesktopState>
    private let client: BusClient
    private let facts: DesktopFacts
    private let loop: BusLoop
    private let work: Task<Void, any Error>

    init(_ directories: Directories, screen: ScriptedScreen, member: String? = nil, idleMs: Int64 = 2_000)
        async throws
    {
        let name = ServiceName.desktop.rawValue
        for folder in [
            directories.run, "\(directories.run)/\(name)", directories.state, "\(directories.state)/\(name)",
        ] {
            try Directories.prepare(folder)
        }
        let loop = try BusLoop(name: "agent-in-test")
        var environment = ["SCREENTIME_DESKTOP_AGENT_IDLE_MS": "\(idleMs)"]
        environment["SCREENTIME_DESKTOP_AGENT_MEMBER"] = member
        let surroundings = Surroundings(
            directories: directories,
            configuration: try Configuration.load(path: directories.config, environment: environment),
            log: Log(service: name, level: .error, sink: StandardErrorSink()),
            time: SystemTimeSource(),
            pulse: Pulse(),
            loop: loop,
            source: "/test/\(name)"
        )
        let facts = DesktopFacts()
        let definition = DesktopService.definition(facts: facts)
        let host = ServiceHost(definition, surroundings)
        let store = try StoreEngine(
            definition,
            database: try Database(
                path: directories.database(service: name),
                options: DatabaseOptions(applicationID: 0x5354_5376)
            ),
            source: surroundings.source,
            time: surroundings.time
        )
        try await host.start(store: store, handover: .init())
        let client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }
        let sender = try ObservationSender(host, surroundings, client)
        let hub = DesktopHub(
            surroundings,
            client: client,
            sender: sender,
            facts: facts,
            parts: .init(
                choose: {
                    ChosenScreen(
                        choice: AdapterChoice(kind: screen.kind, reason: "It is a test."),
                        screen: screen
                    )
                },
                presence: SessionPresence(surroundings, idleMs: idleMs),
                naming: { WindowNaming.app(of: $0) }
            )
        )
        self.screen = screen
        self.hub = hub
        self.host = host
        self.client = client
        self.facts = facts
        self.loop = loop
        work = Task(executorPreference: loop.thread, priority: .medium) {
            async let seeing: Void = hub.run()
            await sender.run()
            await seeing
            await client.close()
        }
    }

    func ask<R: Route>(_ route: R.Type, _ request: R.Request) async throws -> R.Reply {
        try await client.call(route, to: .desktop, request)
    }

    /// Observations that went straight, because they said no more than "still so".
    var beats: Int64 { facts.sight?.beats ?? 0 }

    /// How often the service has run each of its routes and steps.
    func runs() async throws -> [String: Int64] { try await ask(HealthReport.self, Empty()).runs }

    private let isStopped = Mutex(false)

    /// May be called again.
    func stop() async throws {
        let isFirst = isStopped.withLock { stopped in
            defer { stopped = true }
            return !stopped
        }
        guard isFirst else { return }
        work.cancel()
        _ = await work.result
        try await host.stop()
        loop.stop()
    }
}

/// What a window calls itself, in place of the apps of this computer.
enum WindowNaming {
    static func app(of window: DesktopWindow) -> AppIdentity? {
        let names = [window.desktopFile, window.windowClass, window.instance]
        guard let name = names.compactMap(\.self).first(where: { !$0.isEmpty }) else { return nil }
        return AppIdentity(id: name, clue: .itself, steps: ["The window calls itself “\(name)”."])
    }
}

extension HealthReport.Reply {
    /// How often each route and step was run, without the question itself.
    var runs: [String: Int64] {
        Dictionary(uniqueKeysWithValues: routes.map { ($0.route, $0.count) })
            .filter { $0.key != HealthReport.name }
    }
}
