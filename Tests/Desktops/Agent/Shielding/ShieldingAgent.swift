import STContracts
import STDesktop
import STDesktopCore
import STDomain
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

/// The agent with its shields in the test's own process, wired as its Main does it.
final class ShieldingAgent: Sendable {
    let screen: ObedientScreen
    let pauser = MadeUpPauser()
    let stage: ShieldStage
    private let host: ServiceHost<DesktopState>
    private let loop: BusLoop
    private let work: Task<Void, any Error>
    private let hub: DesktopHub
    private let facts = DesktopFacts()
    private let names: Names
    /// When the last word of policy came out of the stream.
    let moment: HeardMoment

    /// Classes of windows that belong to an app of another name.
    private final class Names: Sendable {
        let known = Mutex([String: String]())
    }

    /// Where the pictures are.
    let pictures: String

    init(_ directories: Directories, _ screen: ObedientScreen, language: String = "ko_KR") async throws {
        let name = ServiceName.desktop.rawValue
        for folder in [
            directories.run, "\(directories.run)/\(name)", directories.state, "\(directories.state)/\(name)",
        ] {
            try Directories.prepare(folder)
        }
        let surroundings = try Self.surroundings(directories, language: language)
        let loop = surroundings.loop
        let wire = PolicyWire()
        let heard = HeardMoment()
        let names = Names()
        self.names = names
        let definition = DesktopService.definition(
            facts: facts,
            language: language,
            policy: {
                heard.note()
                wire.put($0)
            }
        )
        moment = heard
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
        let hub = Self.hub(surroundings, client, sender, facts, screen) { [names] windowClass in
            names.known.withLock { $0[windowClass] } ?? windowClass
        }
        pictures = "\(directories.run)/\(name)/shields"
        let easel = try Easel(
            thread: loop.thread,
            program: try BuiltTree.program("screentime-draw"),
            folder: pictures,
            environment: ProcessEnvironment.current()
        )
        let stage = ShieldStage(
            surroundings,
            client: client,
            settings: ShieldSettings(
                surroundings.configuration,
                environment: [:],
                kind: .x11
            ),
            parts: .init(hub: hub, pausing: pauser, easel: easel, wire: wire, facts: facts)
        )
        self.screen = screen
        self.host = host
        self.loop = loop
        self.hub = hub
        self.stage = stage
        await hub.follow(stage)
        await stage.start(DesktopScene())
        work = Task(executorPreference: loop.thread, priority: .medium) {
            async let seeing: Void = hub.run()
            await sender.run()
            await seeing
            await client.close()
        }
    }

    private static func surroundings(_ directories: Directories, language: String) throws -> Surroundings {
        let name = ServiceName.desktop.rawValue
        let loop = try BusLoop(name: "agent-in-test")
        return Surroundings(
            directories: directories,
            configuration: try Configuration.load(
                path: directories.config,
                environment: [
                    "SCREENTIME_DESKTOP_AGENT_MEMBER": ShieldingSystem.member,
                    "SCREENTIME_DESKTOP_AGENT_LANGUAGE": language,
                ]
            ),
            log: Log(service: name, level: .error, sink: StandardErrorSink()),
            time: SystemTimeSource(),
            pulse: Pulse(),
            loop: loop,
            source: "/test/\(name)"
        )
    }

    /// From now on windows of that class belong to that app, as after an install.
    func learn(_ windowClass: String, is app: String) async {
        names.known.withLock { $0[windowClass] = app }
        await hub.lookUpApps()
    }

    private static func hub(
        _ surroundings: Surroundings,
        _ client: BusClient,
        _ sender: ObservationSender,
        _ facts: DesktopFacts,
        _ screen: ObedientScreen,
        app: @escaping @Sendable (String) -> String
    ) -> DesktopHub {
        DesktopHub(
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
                presence: SessionPresence(surroundings, idleMs: 60_000),
                naming: { window in
                    window.windowClass.map {
                        AppIdentity(id: app($0), name: "게임", clue: .itself, steps: [])
                    }
                }
            )
        )
    }

    var shields: [ScreenShield] { facts.shields.shields }

    func decide(_ subject: ShieldSubject) async -> Bool { await stage.decides(subject) }

    private let isStopped = Mutex(false)

    func stop() async throws {
        let isFirst = isStopped.withLock { stopped in
            defer { stopped = true }
            return !stopped
        }
        guard isFirst else { return }
        await stage.stop()
        work.cancel()
        _ = await work.result
        try await host.stop()
        loop.stop()
    }
}
