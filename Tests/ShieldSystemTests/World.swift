import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

/// auth-service and shield-service as real processes, with apps whose shield extensions do what their names say.
struct World: Sendable {
    static let game = "org.game"

    let system: TestSystem

    static func run(
        environment: [String: String] = [:],
        _ body: @Sendable (World) async throws -> Void
    ) async throws {
        let options = TestSystemOptions(environment: environment)
        try await TestSystem.run(services: [.auth, .shield], options: options) { system in
            let world = World(system: system)
            try await body(world)
            let endpoints = world.endpoints
            try system.stop(.shield).expectClean()
            try await eventually("no extension is left") {
                let left = ProcessTable.started(with: ExtensionEnvironment.host, prefix: endpoints)
                if !left.isEmpty { throw NotYet("\(left)") }
            }
            try system.start(.shield)
        }
    }

    var endpoints: String { "ipc://\(system.directories.run)/shields/" }

    // MARK: - Apps

    /// An app that a person allows, whose extensions do this; nil where it has none.
    func install(_ app: String, look: String? = "well", action: String? = "well") async throws {
        let bundle = try bundle(app, look: look, action: action)
        _ = try await system.approve(app, bundle: bundle.path)
    }

    private func bundle(_ app: String, look: String?, action: String?) throws -> AppBundle {
        let points: [(point: ExtensionPoint, executable: String)] = [
            look.map { (ExtensionPoint.shieldConfiguration, "look.\($0)") },
            action.map { (ExtensionPoint.shieldAction, "act.\($0)") },
        ].compactMap { $0 }
        let extensions = points.map {
            """
            {"point": "\($0.point)", "executable": "\($0.executable)", "protocol": 1,
             "entitlements": ["family-controls"]}
            """
        }
        let bundle = try AppBundle(
            in: system.scratch,
            id: app,
            executables: ["app"],
            manifest: """
                {"id": "\(app)", "name": "The \(app)", "version": "1.0", "protocol": 1,
                 "entitlements": ["family-controls"], "groups": [], "executable": "app",
                 "extensions": [\(extensions.joined(separator: ","))]}
                """
        )
        let program = try ServicePrograms.path(program: "screentime-test-extension")
        for (_, name) in points {
            // A copy, so that a test may change when it was made.
            let bytes = try AtomicFile.read(program, limitBytes: 64 << 20)
            try AtomicFile.write(bytes, to: bundle.file(name), mode: 0o755, durable: false)
        }
        return bundle
    }

    func program(_ app: String, _ name: String) -> String {
        "\(system.scratch.file("\(app).bundle"))/\(name)"
    }

    // MARK: - Stores

    /// The app puts a shield over something, and it is in force.
    func shield(_ app: String, _ id: String = game, kind: TokenKind = .application) async throws {
        let items = [TokenItem(kind: kind, id: id)]
        let tokens = try await system.client.call(TokenIssue.self, .init(app: app, items: items)).tokens
        let things = JSONValue.array(tokens.map { .object(["token": .string($0)]) })
        let setting: [String: JSONValue] =
            switch kind {
            case .category:
                [
                    "shield.applicationCategories": .object([
                        "policy": "specific", "categories": things, "except": [],
                    ])
                ]
            case .domain: ["shield.webDomains": things]
            default: ["shield.applications": things]
            }
        try await eventually("the store is in force") {
            let request = SettingsSet.Request(app: app, store: "main", settings: setting)
            _ = try await system.client.call(SettingsSet.self, request)
        }
    }

    func clear(_ app: String) async throws {
        _ = try await system.client.call(SettingsClear.self, .init(app: app, store: "main"))
    }

    // MARK: - Shields

    func look(_ subject: ShieldSubject = .init(app: game), language: String? = nil) async throws
        -> ShieldLookView
    {
        let request = ShieldConfigurationAsk.Request(subject: subject, language: language)
        return try await system.client.call(ShieldConfigurationAsk.self, request).view
    }

    func show(_ subject: ShieldSubject = .init(app: game)) async throws -> ShieldShow.Reply {
        try await system.client.call(ShieldShow.self, .init(subject: subject))
    }

    func press(_ shield: String?, _ button: ShieldButton, _ press: Int64) async throws -> ShieldPress.Reply {
        try await system.client.call(
            ShieldPress.self,
            .init(shield: try #require(shield), button: button, press: press),
            CallOptions(timeoutMs: 20_000)
        )
    }

    func log(_ app: String) async throws -> [AppLogLine] {
        try await system.client.call(ShieldLog.self, .init(app: app)).lines
    }

    /// What the extensions wrote down of the calls they got.
    func calls(_ app: String, _ what: String = "look") -> [[Substring]] {
        ScratchDirectory.text(system.directories.state + "/shield-notes").split(separator: "\n")
            .map { $0.split(separator: " ") }
            .filter { $0.count == 4 && $0[0] == app && $0[1] == what }
    }

    /// Lines of the service's own log with this event.
    func told(_ event: String) -> [Substring] {
        system.log(ServiceName.shield.rawValue).filter { $0.contains(event) }
    }
}

extension STPlatform.ExitStatus {
    func expectClean() throws { #expect(self == .exited(0)) }
}
