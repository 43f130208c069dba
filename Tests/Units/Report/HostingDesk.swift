import STContracts
import STEngine
import STPlatform
import STStore
import STTestKit

@testable import STReportCore

/// Requests of apps for reports, with a simulated read model and a household in which one app has permission.
struct HostingDesk {
    static let app = "org.example.app"
    static let owner = "kim"
    static let child = "lee"
    static let hourMs: Int64 = 3_600_000
    static let fromWallMs = ReportDesk.wallMs(2026, month: 11, day: 19, hour: 15)

    let bench: CoreBench<ReportState>
    private let handlers: HostingHandlers
    private var told: Int64 = 0

    /// `usage` replies to queries of the read model.
    init(
        devices: [ReportDevice] = [Self.own],
        usage: @escaping @Sendable (ReportUsage.Request) throws -> ReportUsage.Reply = { _ in Self.reply([])
        },
        name: @escaping @Sendable (TokenItem, String) -> String? = { _, _ in nil },
        knows: @escaping @Sendable (String, String) -> Bool = { _, _ in true }
    ) throws {
        let figures = ReportFigures(
            usage: { request, _, _, _ in try usage(request) },
            isKnown: { member, device, _ in knows(member, device) },
            devices: { _ in devices },
            name: { item, language, _ in name(item, language) }
        )
        let handlers = HostingHandlers(figures: figures)
        self.handlers = handlers
        let definition = ServiceDefinition<ReportState>(
            name: .report,
            migrations: Hosting.migrations,
            load: { database in
                var state = ReportState()
                try Hosting.load(into: &state, database)
                return state
            },
            routes: handlers.routes,
            subscriptions: [HostingFollowing.authorization]
        )
        let time = SimulatedTimeSource(
            wallMs: ReportDesk.wallMs(2026, month: 11, day: 20, hour: 3),
            zone: "Asia/Seoul"
        )
        bench = try CoreBench(definition, time: time)
        try say(MemberAdded.self, Member(name: Self.owner, role: .individual))
        try say(MemberAdded.self, Member(name: Self.child, role: .child))
        try install()
        try allow(Self.owner)
    }

    // MARK: - Events of auth-service

    mutating func say<E: EventType>(_ type: E.Type, _ body: E.Body) throws {
        told += 1
        try bench.follow([
            try CoreBench<ReportState>.event(type, sequence: told, subject: "\(told)", body: body)
        ])
    }

    mutating func install(model: String? = nil, extensions: [ManifestExtension]? = nil) throws {
        let report = ManifestExtension(
            point: ExtensionPoint.report.rawValue,
            executable: "/opt/app/report",
            protocolVersion: 1,
            entitlements: []
        )
        let manifest = AppManifest(
            id: Self.app,
            name: "Example",
            version: "1",
            protocolVersion: 1,
            entitlements: [],
            groups: [],
            extensions: extensions ?? [report],
            deviceModel: model
        )
        try say(AppInstalled.self, InstalledApp(manifest: manifest, bundle: "/opt/app", installedAt: ""))
    }

    static func word(_ member: String, _ status: AuthorizationStatus = .approved) -> Authorization {
        Authorization(
            app: app,
            member: member,
            status: status,
            scope: .individual,
            access: status == .approved,
            enforce: true,
            generation: 0
        )
    }

    mutating func allow(_ member: String, _ status: AuthorizationStatus = .approved) throws {
        try say(AuthorizationChanged.self, Self.word(member, status))
    }

    // MARK: - Read model

    static let own = ReportDevice(device: "own", name: "desk", model: .mac, isThis: true)
    static let phone = ReportDevice(device: "phone", name: "phone of kim", model: .iPhone, isThis: false)

    static func reply(_ segments: [ReportUsageSegment], next: String? = nil) -> ReportUsage.Reply {
        ReportUsage.Reply(
            zone: "Asia/Seoul",
            segments: segments,
            updatedAt: "2026-11-20T03:00:00.000Z",
            isOpen: false,
            next: next
        )
    }

    /// A segment of the given hour with these rows.
    static func segment(_ hour: Int, usedMs: Int64? = nil, absentMs: Int64 = 0, rows: [ReportUsageRow] = [])
        -> ReportUsageSegment
    {
        ReportUsageSegment(
            startWallMs: fromWallMs + Int64(hour) * hourMs,
            endWallMs: fromWallMs + Int64(hour + 1) * hourMs,
            day: "2026-11-20",
            usedMs: usedMs ?? rows.reduce(0) { $0 + $1.usedMs },
            absentMs: absentMs,
            unobservedMs: 0,
            shieldedMs: 0,
            pickups: 0,
            idlePickups: 0,
            notifications: 0,
            rows: rows
        )
    }

    static func row(_ app: String?, site: String? = nil, category: String? = "games", usedMs: Int64 = 60_000)
        -> ReportUsageRow
    {
        ReportUsageRow(
            app: app,
            category: category,
            site: site,
            usedMs: usedMs,
            pickups: 1,
            notifications: 2
        )
    }

    // MARK: - Requests of apps

    static func filter(
        _ segment: ReportSegmentation = .hour,
        hours: Int64 = 24,
        users: ReportUsers? = nil,
        models: [ReportModel]? = nil
    ) -> ReportFilter {
        ReportFilter(
            segment: segment,
            fromWallMs: fromWallMs,
            toWallMs: fromWallMs + hours * hourMs,
            users: users,
            models: models,
            applications: [],
            categories: [],
            webDomains: []
        )
    }

    func data(_ request: DataQuery.Request, of bench: CoreBench<ReportState>) throws -> ReportData.Reply {
        let handlers = handlers
        return try bench.step { try handlers.data(request, state: $0, context: $1, database: $2.database) }
    }

    /// The job that the worker would run.
    func job(_ request: RenderCall.Request) throws -> RenderJob {
        let handlers = handlers
        return try bench.step { state, context, _ in try handlers.job(request, state: state, context: context)
        }
    }

    func look(
        _ filter: ReportFilter,
        items: [TokenItem] = [],
        language: String? = nil,
        next: String? = nil,
        member: String = Self.owner
    ) throws -> ReportData.Reply {
        let asked = ReportData.Request(
            app: Self.app,
            filter: filter,
            language: language,
            next: next
        )
        return try data(.init(data: asked, member: member, items: items), of: bench)
    }

    /// All pages, each of which must fit into a reply.
    func all(_ filter: ReportFilter, items: [TokenItem] = []) throws -> (parts: [ReportDataPart], pages: Int)
    {
        var parts: [ReportDataPart] = []
        var next: String?
        var pages = 0
        repeat {
            let reply = try look(filter, items: items, next: next)
            guard try reply.encodedBody().count <= BusLimits.pageBytes + 4_096, pages < 100 else {
                throw Problem(
                    "test.page",
                    verbatim: "\(pages) pages, the last with \(reply.parts.count) parts"
                )
            }
            parts += reply.parts
            next = reply.next
            pages += 1
        } while next != nil
        return (parts, pages)
    }
}
