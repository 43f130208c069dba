import STContracts
import STPlatform

/// Creates a report, once or repeatedly.
struct ReportMaker {
    private let clients: ServiceClients
    private let invocation: Invocation
    private let clock: ZonedClock
    /// The app that makes the report. `nil` for a built-in one.
    private let app: String?

    /// Creates a maker. Finds the app of the report only once.
    init(_ options: ReportOptions, _ invocation: Invocation, _ clients: ServiceClients, _ clock: ZonedClock)
        async throws
    {
        self.clients = clients
        self.invocation = invocation
        self.clock = clock
        switch options.subject {
        case .scene: app = nil
        case .app(let context, let named):
            app = try await AppReports.app(offering: context, named: named, of: options.member, clients)
        }
    }

    /// Creates the report. The options are parsed each time, because `today` changes at midnight.
    func make(nowMs: Int64) async throws -> MadeReport {
        let options = try ReportOptions(invocation, nowMs: nowMs, clock)
        switch options.subject {
        case .app(let context, _):
            let page = try await AppReports.page(app ?? "", context, options, clients)
            return MadeReport(source: .app(app ?? "", context: context, page), options: options)
        case .scene(let scene):
            let asking = ReportAsking(clients: clients, scene: scene, options: options, clock: clock)
            let material = try await asking.material(nowMs: nowMs)
            let device = try ReportNamesCheck.device(options.device, material.coverage, options.line)
            var input = SceneInput(
                language: options.pageLanguage,
                clock: clock,
                period: options.period,
                nowMs: nowMs,
                key: options.key,
                top: options.top ?? scene.top,
                compares: options.compares,
                member: options.member,
                device: device,
                material: material
            )
            input.areIDs = invocation.has("--ids")
            return MadeReport(source: .scene(scene, input), options: options)
        }
    }
}

/// A finished report in all its forms.
struct MadeReport: Sendable {
    enum Source: Sendable {
        case scene(BuiltInScene, SceneInput)
        case app(String, context: String, Page)
    }

    let source: Source
    let options: ReportOptions

    var page: Page {
        switch source {
        case .scene(let scene, let input): scene.page(input)
        case .app(_, _, let page): page
        }
    }

    /// True if the report changes by itself.
    var isOpen: Bool {
        switch source {
        case .scene(_, let input): input.usage.isOpen
        case .app: true
        }
    }

    /// The figures for a table. `nil` for an app's report.
    var usage: ReportUsage.Reply? {
        guard case .scene(_, let input) = source else { return nil }
        return input.usage
    }

    func json(_ clock: ZonedClock) throws -> JSONValue {
        let period = options.period
        var members: [String: JSONValue] = [
            "from": .string(clock.exact(period.fromWallMs)), "to": .string(clock.exact(period.toWallMs)),
            "segment": .string(options.segment.rawValue),
            "member": options.member.map { .string($0) } ?? .null,
        ]
        switch source {
        case .app(let app, let context, let page):
            members["app"] = .string(app)
            members["context"] = .string(context)
            members["page"] = try JSONOutput.value(of: page)
        case .scene(let scene, let input):
            members["context"] = .string(scene.rawValue)
            members["device"] = options.device.map { .string($0) } ?? .null
            members["demo"] = .bool(input.material.isDemo)
            members["observed"] = .bool(input.material.unobserved == nil)
            members["losses"] = .array(try input.material.losses.map { try JSONOutput.value(of: $0) })
            members["report"] = try JSONOutput.value(of: input.usage)
            if scene == .timeline {
                members["stretches"] = .array(
                    try input.material.stretches.map { try JSONOutput.value(of: $0) }
                )
            }
        }
        return .object(members)
    }
}
