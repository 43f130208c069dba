import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

/// Tests of real processes. They run one after the other, because each of them needs the whole machine.
@Suite("Shields and the extensions of apps", .serialized)
enum ShieldSuite {
    /// True if the long forms of these tests run.
    static let isSoak = TestScale.isSoak

    /// The seed. `SCREENTIME_SEED` repeats a run.
    static let seed: UInt64 =
        ProcessEnvironment.current()["SCREENTIME_SEED"].flatMap(UInt64.init)
        ?? UInt64(truncatingIfNeeded: Stopwatch.nanoseconds())
}

/// shield-service as a real process, with apps whose shield extensions behave as their names say.
struct ShieldWorld: Sendable {
    static let game = "org.game"

    /// For calls that may have to start an extension first.
    private static let slow = CallOptions(timeoutMs: 40_000)

    let system: TestSystem
    let auth: StandInService<Int>

    static func run(
        environment: [String: String] = [:],
        _ body: @Sendable (ShieldWorld) async throws -> Void
    ) async throws {
        // Long limits, so that nothing is late on a busy machine, unless a test wants that.
        let patience = [
            "SCREENTIME_SHIELD_SERVICE_LOOK_MS": "30000", "SCREENTIME_SHIELD_SERVICE_ACTION_MS": "30000",
        ]
        let options = TestSystemOptions(environment: patience.merging(environment) { $1 })
        try await TestSystem.run(services: [.shield], options: options) { system in
            let auth = try await StandInService(StandIn.auth, system.directories)
            let world = ShieldWorld(system: system, auth: auth)
            do {
                try await body(world)
            } catch {
                try await auth.stop()
                throw error
            }
            try await auth.stop()
            let endpoints = world.endpoints
            let exit = try system.stop(.shield)
            #expect(exit == .exited(0))
            try await eventually("no extension is left") {
                let left = ProcessTable.processes(with: ExtensionEnvironment.host, prefix: endpoints)
                if !left.isEmpty { throw NotYet("\(left)") }
            }
            try system.start(.shield)
        }
    }

    var endpoints: String { "ipc://\(system.directories.run)/shields/" }

    // MARK: - Apps

    /// Installs an app that a person allows, with these extensions. `nil` means that it has none.
    func install(_ app: String, look: String? = "well", action: String? = "well") async throws {
        let names = try bundle(app, look: look, action: action)
        let extensions = names.map { point, name in
            ManifestExtension(
                point: point.rawValue,
                executable: program(app, name),
                protocolVersion: 1,
                entitlements: []
            )
        }
        let manifest = AppManifest(
            id: app,
            name: "The \(app)",
            version: "1",
            protocolVersion: 1,
            entitlements: [],
            groups: [],
            extensions: extensions
        )
        let installed = InstalledApp(manifest: manifest, bundle: folder(app), installedAt: "")
        _ = try await auth.ask(StandIn.Allow.self, installed)
        let head = try await auth.ask(HealthReport.self, Empty()).streams.first?.sequence ?? 0
        try await eventually("shield-service has received the permission") {
            let cursors = try await system.client.call(HealthReport.self, to: .shield, Empty()).cursors
            let heard = cursors.first { $0.stream == StreamName.authorization.rawValue }?.sequence ?? 0
            if heard < head { throw NotYet("\(heard) of \(head)") }
        }
    }

    /// Writes the app's programs to a folder, and returns the extension point of each.
    private func bundle(_ app: String, look: String?, action: String?) throws -> [(ExtensionPoint, String)] {
        let names: [(point: ExtensionPoint, name: String)] = [
            look.map { (ExtensionPoint.shieldConfiguration, "look.\($0)") },
            action.map { (ExtensionPoint.shieldAction, "act.\($0)") },
        ].compactMap { $0 }
        try Directories.prepare(folder(app))
        let program = try BuiltTree.program("screentime-test-extension")
        for (_, name) in names {
            // A copy, so that a test can change its time.
            let bytes = try AtomicFile.read(program, limitBytes: 64 << 20)
            try AtomicFile.write(bytes, to: self.program(app, name), mode: 0o755, durable: false)
        }
        return names
    }

    private func folder(_ app: String) -> String { system.scratch.file("\(app).bundle") }

    func program(_ app: String, _ name: String) -> String {
        "\(folder(app))/\(name)"
    }

    // MARK: - Stores

    /// Sets a shield of the app over a thing, and waits until it is in force.
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
        try await eventually("the settings are accepted") {
            let request = SettingsSet.Request(app: app, store: "main", settings: setting)
            _ = try await system.client.call(SettingsSet.self, request)
        }
    }

    func clear(_ app: String) async throws {
        _ = try await system.client.call(SettingsClear.self, .init(app: app, store: "main"))
    }

    // MARK: - Shields

    func look(_ subject: ShieldSubject = .init(app: game), language: String? = nil) async throws
        -> ShieldAppearanceView
    {
        let request = ShieldConfigurationAsk.Request(subject: subject, language: language)
        return try await system.client.call(ShieldConfigurationAsk.self, request, options: Self.slow).view
    }

    /// Returns a look as if the app had set a shield.
    func preview(_ app: String, language: String? = nil) async throws -> ShieldAppearanceView {
        let request = ShieldConfigurationAsk.Request(
            subject: .init(app: Self.game),
            language: language,
            app: app
        )
        return try await system.client.call(ShieldConfigurationAsk.self, request, options: Self.slow).view
    }

    func show(_ subject: ShieldSubject = .init(app: game)) async throws -> ShieldShow.Reply {
        try await system.client.call(ShieldShow.self, .init(subject: subject), options: Self.slow)
    }

    func press(_ shield: String?, button: ShieldButton, press: Int64) async throws -> ShieldPress.Reply {
        try await system.client.call(
            ShieldPress.self,
            .init(shield: try #require(shield), button: button, press: press),
            options: Self.slow
        )
    }

    func log(_ app: String) async throws -> [AppLogLine] {
        try await system.client.call(ShieldLog.self, .init(app: app)).lines
    }

    /// Returns the actions that extensions recorded.
    func actions(_ app: String) -> [[Substring]] {
        ScratchDirectory.text(system.directories.state + "/groups/shield-notes").split(separator: "\n")
            .map { $0.split(separator: " ") }.filter { $0.count == 4 && $0[0] == app }
    }

    /// Returns the number of looks that extensions have printed. Their output is stored a moment later.
    func looks(_ app: String) async throws -> Int {
        var last = -1
        var sinceMs: Int64 = 0
        var unchangedPolls = 0
        return try await eventually("no further line is stored") {
            let count = try await log(app).count { $0.text.hasPrefix("look ") }
            let nowMs = Stopwatch.milliseconds()
            if count != last { (last, sinceMs, unchangedPolls) = (count, nowMs, 0) }
            unchangedPolls += 1
            // One unchanged count proves nothing: this process or the service may have been delayed.
            guard unchangedPolls >= 8, nowMs - sinceMs > 200 else { throw NotYet("\(count)") }
            return count
        }
    }

    /// Returns the lines of the service's own log with this event.
    func told(_ event: String) -> [Substring] {
        system.log(ServiceName.shield.rawValue).filter { $0.contains(event) }
    }
}
