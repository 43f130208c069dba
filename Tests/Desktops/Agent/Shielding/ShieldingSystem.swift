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

/// A real shield-service, and the agent in this process on a simulated screen.
struct ShieldingSystem: Sendable {
    static let game = "org.game"
    static let asks = "org.asks"
    static let member = "minji"

    let system: TestSystem
    let auth: StandInService<Int>

    static func run(_ body: @Sendable (ShieldingSystem) async throws -> Void) async throws {
        try await TestSystem.run(services: [.shield]) { system in
            let auth = try await StandInService(definition, system.directories)
            do {
                try await body(ShieldingSystem(system: system, auth: auth))
            } catch {
                try await auth.stop()
                throw error
            }
            try await auth.stop()
        }
    }

    /// Changes the settings of an app's store.
    func set(_ settings: [String: JSONValue], store: String = "main", app: String = asks) async throws {
        try await eventually("the settings are accepted") {
            _ = try await system.client.call(
                SettingsSet.self,
                .init(app: app, store: store, settings: settings)
            )
        }
    }

    func shield(_ apps: [String] = [game]) async throws {
        try await set(["shield.applications": Self.things(apps.map { TokenItem(kind: .application, id: $0) })]
        )
    }

    func clear() async throws {
        _ = try await system.client.call(SettingsClear.self, .init(app: Self.asks, store: "main"))
    }

    static func things(_ items: [TokenItem]) -> JSONValue {
        .array(items.map { .object(["token": .string(token($0))]) })
    }

    // MARK: - In the place of auth-service

    private static func token(_ item: TokenItem) -> String {
        Base64.encode(Array("\(item.kind.rawValue) \(item.id)".utf8))
    }

    private static func item(_ token: String) throws -> TokenItem {
        let words = String(decoding: Base64.decode(token) ?? [], as: UTF8.self).split(separator: " ")
        guard words.count == 2, let kind = TokenKind(rawValue: String(words[0])) else {
            throw Problem("token.unknown", verbatim: "\(token) is no token of this test.")
        }
        return TokenItem(kind: kind, id: String(words[1]))
    }

    private static let people = [
        Member(name: member, role: .individual), Member(name: "hana", role: .guardian),
    ]

    private static func word(_ app: String) -> Authorization {
        Authorization(
            app: app,
            member: member,
            status: .approved,
            scope: .individual,
            access: true,
            enforce: true,
            generation: 1
        )
    }

    private static let definition = ServiceDefinition<Int>(
        name: .auth,
        streams: [.authorization],
        load: { _ in 0 },
        begin: { _, change in
            for person in people {
                try change.emit(MemberAdded.self, subject: "member/\(person.name)", person)
            }
            let manifest = AppManifest(
                id: asks,
                name: "Asker",
                version: "1",
                protocolVersion: 1,
                entitlements: [],
                groups: [],
                extensions: []
            )
            let app = InstalledApp(manifest: manifest, bundle: "/nowhere", installedAt: "1")
            try change.emit(AppInstalled.self, subject: asks, app)
            try change.emit(AuthorizationChanged.self, subject: "\(asks)/\(member)", word(asks))
        },
        routes: [
            .query(AuthCheck.self) { _, request, _, _ in
                AuthCheck.Reply(
                    authorization: word(request.app),
                    items: try request.tokens.map(item),
                    hasMonitor: false
                )
            },
            .query(TokenIssue.self) { _, request, _, _ in .init(tokens: request.items.map(token)) },
            .read(MemberList.self) { _, _, _ in .init(device: Device(id: "d", name: "d"), members: people) },
        ]
    )
}

/// The moment of the last event.
final class HeardMoment: Sendable {
    private let ns = Mutex<Int64>(0)

    func note() { ns.withLock { $0 = Stopwatch.nanoseconds() } }

    var last: Int64 { ns.withLock { $0 } }
}

/// A pauser that pauses nothing and records its calls.
actor MadeUpPauser: AppPausing {
    private(set) var held: Set<String> = []
    private(set) var story: [String] = []

    func verdict(app: String, pids: [Int32]) -> PauseVerdict { .allowed(.signal) }

    func pause(app: String, pids: [Int32]) -> PauseOutcome {
        held.insert(app)
        story.append("pause \(app)")
        return .paused(.signal, processes: pids.count)
    }

    func isPaused(app: String) -> Bool { held.contains(app) }

    /// Thaws an app, as another program would.
    func letGo(_ app: String) { held.remove(app) }

    func thaw(app: String) {
        held.remove(app)
        story.append("thaw \(app)")
    }

    func thawAll() { held = [] }

    func activeRecording(app: String, pids: [Int32]) -> Message? { nil }

    func end(app: String, pids: [Int32]) -> Int { 0 }
}
