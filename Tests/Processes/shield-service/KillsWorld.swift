import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

/// auth-service and shield-service as real processes, for tests that kill them.
struct KillsWorld: Sendable {
    let system: TestSystem

    static func run(
        environment: [String: String],
        _ body: @Sendable (KillsWorld) async throws -> Void
    ) async throws {
        let options = TestSystemOptions(environment: environment)
        try await TestSystem.run(services: [.auth, .shield], options: options) { system in
            try await body(KillsWorld(system: system))
        }
    }

    /// Installs an app that a person allows, with both shield extensions.
    func install(_ app: String, action: String) async throws {
        let bundle = try AppBundle(
            in: system.scratch,
            id: app,
            executables: ["app"],
            manifest: """
                {"id": "\(app)", "name": "The \(app)", "version": "1.0", "protocol": 1,
                 "entitlements": ["family-controls"], "groups": [], "executable": "app",
                 "extensions": [
                   {"point": "\(ExtensionPoint.shieldConfiguration)", "executable": "look.well", "protocol": 1,
                    "entitlements": ["family-controls"]},
                   {"point": "\(ExtensionPoint.shieldAction)", "executable": "act.\(action)", "protocol": 1,
                    "entitlements": ["family-controls"]}
                 ]}
                """
        )
        let program = try BuiltTree.program("screentime-test-extension")
        let bytes = try AtomicFile.read(program, limitBytes: 64 << 20)
        for name in ["look.well", "act.\(action)"] {
            try AtomicFile.write(bytes, to: bundle.file(name), mode: 0o755, durable: false)
        }
        _ = try await system.approve(app, bundle: bundle.path)
    }

    /// Sets a shield of the app over the game, and waits until it is in force.
    func shield(_ app: String) async throws {
        let items = [TokenItem(kind: .application, id: ShieldWorld.game)]
        let tokens = try await system.client.call(TokenIssue.self, .init(app: app, items: items)).tokens
        let things = JSONValue.array(tokens.map { .object(["token": .string($0)]) })
        try await eventually("the settings are accepted") {
            let request = SettingsSet.Request(
                app: app,
                store: "main",
                settings: ["shield.applications": things]
            )
            _ = try await system.client.call(SettingsSet.self, request)
        }
    }

    /// Returns the actions that extensions recorded.
    func actions(_ app: String) -> [[Substring]] {
        ScratchDirectory.text(system.directories.state + "/groups/shield-notes").split(separator: "\n")
            .map { $0.split(separator: " ") }.filter { $0.count == 4 && $0[0] == app }
    }
}

/// The requests that were acknowledged while the service was killed repeatedly.
struct Acknowledged: Sendable {
    struct Store: Sendable {
        var address: StoreAddress
        /// Number of sets and clears.
        var changes: Int64 = 0
        var clears = 0
        var settings: [String: JSONValue] = [:]
    }

    struct Press: Sendable {
        var shield: String
        var number: Int64
        var reply: ShieldPress.Reply
    }

    var stores: [Store] = []
    /// The requests for more time, with their last states.
    var requests: [String: RequestState] = [:]
    var shields: [String] = []
    var presses: [Press] = []
    /// Number of missing replies, after which the request was repeated.
    var repeats = 0

    mutating func add(_ other: Acknowledged) {
        stores += other.stores
        requests.merge(other.requests) { $1 }
        shields += other.shields
        presses += other.presses
        repeats += other.repeats
    }
}
