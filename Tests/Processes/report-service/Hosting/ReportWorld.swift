import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

/// Tests of real processes. They run one after the other, because each of them needs the whole machine.
@Suite("Processes of report-service", .serialized)
enum ReportSuite {}

/// Report extensions as real processes, of apps that a member allowed. The requested context determines their behaviour.
struct ReportWorld: Sendable {
    static let app = "org.example.report"

    let system: TestSystem

    static func run(
        environment: [String: String] = [:],
        _ body: @Sendable (ReportWorld) async throws -> Void
    ) async throws {
        let options = TestSystemOptions(environment: environment)
        try await TestSystem.run(services: [.auth, .activity, .report], options: options) { system in
            let world = ReportWorld(system: system)
            try await body(world)
            // No process outlives the service.
            _ = try system.stop(.report)
            try await eventually("no extension is left") {
                let left = world.processes
                if !left.isEmpty { throw NotYet("\(left)") }
            }
            try system.start(.report)
        }
    }

    /// The processes of the extensions and of their children.
    var processes: [Int32] {
        ProcessTable.processes(
            with: ExtensionEnvironment.host,
            prefix: "ipc://\(system.directories.run)/reports/"
        )
    }

    // MARK: - Apps

    static func manifest(
        _ app: String,
        extensions: Bool = true,
        model: String? = nil,
        program: String = "screentime-test-extension"
    ) -> String {
        let item = """
            {"point": "\(ExtensionPoint.report.rawValue)", "executable": "\(program)",
             "protocol": 1, "entitlements": ["family-controls"]}
            """
        let declared = model.map { "\"deviceModel\": \"\($0)\"," } ?? ""
        return """
            {"id": "\(app)", "name": "The \(app)", "version": "1.0", "protocol": 1, \(declared)
             "entitlements": ["family-controls"], "groups": [], "extensions": [\(extensions ? item : "")]}
            """
    }

    /// Installs an app with a report extension that a member allowed.
    func install(
        _ app: String = app,
        member: String? = nil,
        scope: AuthorizationScope = .individual,
        manifest: String? = nil
    ) async throws {
        let bundle = try bundle(app, manifest: manifest)
        try await system.approve(app, member: member, scope: scope, bundle: bundle, programs: Self.programs())
        try await heard()
    }

    func bundle(_ app: String, manifest: String? = nil) throws -> String {
        try AppBundle(
            in: system.scratch,
            id: app,
            executables: [],
            manifest: manifest ?? Self.manifest(app)
        ).path
    }

    static func programs() throws -> String {
        let program = try BuiltTree.program("screentime-test-extension")
        return String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)])
    }

    /// Waits until report-service has received everything from auth-service.
    func heard() async throws {
        try await follow(.authorization, of: .auth)
    }

    func follow(_ stream: StreamName, of source: ServiceName) async throws {
        try await eventually(within: .seconds(60), "report-service has processed \(stream)") {
            let theirs = try await system.client.call(HealthReport.self, to: source, Empty()).streams
            let ours = try await system.client.call(HealthReport.self, to: .report, Empty()).cursors
            let head = theirs.first { $0.stream == stream.rawValue }?.sequence
            let cursor = ours.first { $0.stream == stream.rawValue }
            if cursor?.sequence != head || cursor?.state != "live" { throw NotYet("\(ours) of \(theirs)") }
        }
    }

    // MARK: - Reports

    func render(
        _ context: String,
        app: String = app,
        member: String? = nil,
        filter: ReportFilter? = nil,
        language: String? = nil
    ) async throws -> ReportRender.Reply {
        try await system.client.call(
            ReportRender.self,
            .init(app: app, member: member, context: context, filter: filter, language: language),
            options: CallOptions(timeoutMs: 40_000)
        )
    }

    /// Returns the problem of a rejected request.
    func problem(
        _ context: String,
        app: String = app,
        member: String? = nil,
        filter: ReportFilter? = nil,
        language: String? = nil
    ) async throws -> Problem {
        do {
            let reply = try await render(
                context,
                app: app,
                member: member,
                filter: filter,
                language: language
            )
            throw NotYet("it was made: \(reply)")
        } catch let problem as Problem {
            return problem
        }
    }

    func page(_ made: ReportRender.Reply) async throws -> Page {
        var bytes: [UInt8] = []
        for piece in 0..<made.pieces {
            let reply = try await system.client.call(
                ReportPiece.self,
                .init(report: made.report, piece: piece)
            )
            bytes += Base64.decode(reply.bytes) ?? []
            guard reply.isLast == (piece == made.pieces - 1) else { throw NotYet("piece \(piece)") }
        }
        guard bytes.count == Int(made.bytes) else { throw NotYet("\(bytes.count) of \(made.bytes) bytes") }
        return try Page.decodedBody(bytes)
    }

    /// Returns the text of a report.
    func text(_ context: String, app: String = app, member: String? = nil, language: String? = nil)
        async throws -> String
    {
        let made = try await render(context, app: app, member: member, language: language)
        return try await page(made).variants.flatMap(\.nodes).flatMap { $0.runs ?? [] }.map(\.text)
            .joined(separator: " ")
    }

    func log(_ app: String = app) async throws -> [AppLogLine] {
        try await system.client.call(ReportLog.self, .init(app: app)).lines
    }

    /// Waits until such a line is in the app's log.
    @discardableResult
    func logged(_ app: String = app, _ text: String) async throws -> AppLogLine {
        try await eventually("the log has “\(text)”") {
            let lines = try await log(app)
            guard let line = lines.first(where: { $0.text.contains(text) }) else {
                throw NotYet("\(lines.map(\.text))")
            }
            return line
        }
    }
}
