import STContracts
import STPlatform

/// Creates a report, once or repeatedly.
struct ReportBuilder {
    private let clients: ServiceClients
    private let invocation: Invocation
    private let clock: ZonedClock
    /// The app that makes the report. `nil` for a built-in one.
    private let app: String?

    /// Creates a maker. Finds the app of the report only once.
    init(_ options: ReportOptions, invocation: Invocation, clients: ServiceClients, clock: ZonedClock)
        async throws
    {
        self.clients = clients
        self.invocation = invocation
        self.clock = clock
        switch options.subject {
        case .template: app = nil
        case .app(let context, let named):
            app = try await AppReports.app(offering: context, named: named, of: options.member, clients)
        }
    }

    /// Creates the report. The options are parsed each time, because `today` changes at midnight.
    func build(now: WallTime) async throws -> BuiltReport {
        let options = try ReportOptions(invocation, now: now, clock)
        switch options.subject {
        case .app(let context, _):
            let page = try await AppReports.page(
                app ?? "",
                context: context,
                options: options,
                clients: clients
            )
            return BuiltReport(source: .app(app ?? "", context: context, page), options: options)
        case .template(let scene):
            let asking = ReportLoader(clients: clients, template: scene, options: options, clock: clock)
            let material = try await asking.load(now: now)
            let device = try ReportNamesCheck.device(
                options.device,
                coverage: material.coverage,
                line: options.line
            )
            var input = ReportInput(
                language: options.pageLanguage,
                clock: clock,
                period: options.period,
                now: now,
                key: options.key,
                top: options.top ?? scene.top,
                compares: options.compares,
                member: options.member,
                device: device,
                material: material
            )
            input.areIDs = invocation.has("--ids")
            return BuiltReport(source: .template(scene, input), options: options)
        }
    }
}

/// A finished report in all its forms.
struct BuiltReport: Sendable {
    enum Source: Sendable {
        case template(ReportTemplate, ReportInput)
        case app(String, context: String, Page)
    }

    let source: Source
    let options: ReportOptions

    var page: Page {
        switch source {
        case .template(let scene, let input): scene.page(input)
        case .app(_, _, let page): page
        }
    }

    /// True if the report changes by itself.
    var isOpen: Bool {
        switch source {
        case .template(_, let input): input.usage.isOpen
        case .app: true
        }
    }

    /// The figures for a table. `nil` for an app's report.
    var usage: ReportUsage.Reply? {
        guard case .template(_, let input) = source else { return nil }
        return input.usage
    }

    func json(_ clock: ZonedClock) throws -> JSONValue {
        let period = options.period
        var members: [String: JSONValue] = [
            "from": .string(clock.exact(period.from)), "to": .string(clock.exact(period.to)),
            "segment": .string(options.segment.rawValue),
            "member": options.member.map { .string($0) } ?? .null,
        ]
        switch source {
        case .app(let app, let context, let page):
            members["app"] = .string(app)
            members["context"] = .string(context)
            members["page"] = try JSONOutput.value(of: page)
        case .template(let scene, let input):
            members["context"] = .string(scene.rawValue)
            members["device"] = options.device.map { .string($0) } ?? .null
            members["demo"] = .bool(input.source.isDemo)
            members["observed"] = .bool(input.source.unobserved == nil)
            members["losses"] = .array(try input.source.losses.map { try JSONOutput.value(of: $0) })
            members["report"] = try JSONOutput.value(of: input.usage)
            if scene == .timeline {
                members["stretches"] = .array(
                    try input.source.intervals.map { try JSONOutput.value(of: $0) }
                )
            }
        }
        return .object(members)
    }
}
