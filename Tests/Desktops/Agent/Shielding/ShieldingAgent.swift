import STContracts
import STDesktop
import STDesktopCore
import STDomain
import STPlatform
import STScreen
import STServiceKit
import STTestKit
import STTestSupport
import STZeroMQ
import Synchronization

@testable import desktop_agent

/// The agent with its shields in the test's own process, connected as in its Main.
final class ShieldingAgent: Sendable {
    let screen: ObedientScreen
    let pauser = MadeUpPauser()
    let stage: ShieldController
    private let host: AgentHost
    private let work: Task<Void, any Error>
    private let hub: DesktopHub
    private let facts = DesktopFacts()
    private let names: Names
    /// The moment at which the last policy event arrived.
    let moment: HeardMoment

    /// The window classes that belong to an app of another name.
    private final class Names: Sendable {
        let known = Mutex([String: String]())
    }

    /// The folder of the pictures.
    let pictures: String

    init(_ directories: Directories, _ screen: ObedientScreen, language: String = "ko_KR") async throws {
        let wire = PolicyMailbox()
        let heard = HeardMoment()
        let seat = SessionMemberRelay()
        let names = Names()
        self.names = names
        let definition = DesktopService.definition(
            facts: facts,
            language: language,
            policy: {
                heard.note()
                wire.submit($0)
                seat.apply($0)
            }
        )
        moment = heard
        let host = try await AgentHost(
            directories,
            environment: ["SCREENTIME_DESKTOP_AGENT_LANGUAGE": language],
            definition
        )
        let hub = Self.hub(host, facts: facts, screen: screen) { [names] windowClass in
            names.known.withLock { $0[windowClass] } ?? windowClass
        }
        pictures = "\(directories.run)/\(ServiceName.desktop.rawValue)/shields"
        let easel = try DrawingClient(
            thread: host.surroundings.loop.thread,
            program: try BuiltTree.program("screentime-draw"),
            folder: pictures,
            environment: ProcessEnvironment.current()
        )
        let stage = ShieldController(
            host.surroundings,
            client: host.client,
            settings: ShieldSettings(
                host.surroundings.configuration,
                environment: [:],
                kind: .x11
            ),
            parts: .init(hub: hub, pausing: pauser, drawingClient: easel, policyMailbox: wire, facts: facts)
        )
        self.screen = screen
        self.host = host
        self.hub = hub
        self.stage = stage
        await hub.addObserver(stage)
        await stage.start(DesktopModel())
        work = host.run(hub)
    }

    /// Assigns windows of a class to an app, as after an installation.
    func learn(_ windowClass: String, is app: String) async {
        names.known.withLock { $0[windowClass] = app }
        await hub.resolveApps()
    }

    private static func hub(
        _ host: AgentHost,
        facts: DesktopFacts,
        screen: ObedientScreen,
        app: @escaping @Sendable (String) -> String
    ) -> DesktopHub {
        DesktopHub(
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
                resolveApp: { window in
                    window.windowClass.map {
                        AppIdentity(id: app($0), name: "게임", clue: .itself, steps: [])
                    }
                }
            )
        )
    }

    var shields: [ScreenShield] { facts.shields.shields }

    func decide(_ subject: ShieldSubject) async -> Bool { await stage.decides(subject) }

    func stop() async throws { try await host.stop(work) { await stage.stop() } }
}
