import STContracts
import STPlatform
import STTestKit

@testable import STMonitorCore

/// The core of monitor-runner with an app that may monitor, and with events like those of activity-center.
struct MonitorDesk {
    static let app = "org.example.app"
    static let member = "child"

    var bench: CoreBench<MonitorState>
    private var activities: Int64 = 0
    private var words: Int64 = 0

    init(knowsApp: Bool = true) throws {
        bench = try CoreBench(MonitorService.definition())
        guard knowsApp else { return }
        try install()
        try allow()
    }

    mutating func reopen() throws { bench = try bench.reopened() }

    // MARK: - Events of other services

    mutating func install(_ app: String = app, monitor: String? = "/opt/app/monitor") throws {
        let manifest = AppManifest(
            id: app,
            name: "An app",
            version: "1",
            protocolVersion: 1,
            entitlements: [],
            groups: [],
            extensions: [
                ManifestExtension(
                    point: monitor == nil
                        ? ExtensionPoint.report.rawValue : ExtensionPoint.monitor.rawValue,
                    executable: monitor ?? "/opt/app/report",
                    protocolVersion: 1,
                    entitlements: []
                )
            ]
        )
        let body = InstalledApp(manifest: manifest, bundle: "/opt/app", installedAt: "")
        try say(AppInstalled.self, body)
    }

    mutating func remove(_ app: String = app) throws { try say(AppRemoved.self, AppRemovedBody(app: app)) }

    mutating func allow(
        _ status: AuthorizationStatus = .approved,
        app: String = app,
        member: String = member,
        access: Bool = true
    ) throws {
        let word = Authorization(
            app: app,
            member: member,
            status: status,
            scope: .individual,
            access: access,
            enforce: true,
            generation: 1
        )
        try say(AuthorizationChanged.self, word)
    }

    private mutating func say<E: EventType>(_ type: E.Type, _ body: E.Body) throws {
        words += 1
        try bench.follow(
            [try CoreBench<MonitorState>.event(type, sequence: words, subject: "s", body: body)],
            subscription: 1
        )
    }

    static func occurrence(
        _ occasion: ActivityOccasion,
        app: String = app,
        member: String = member,
        event: String? = nil
    ) -> ActivityOccurrence {
        ActivityOccurrence(
            app: app,
            member: member,
            activity: "daily",
            event: event,
            occasion: occasion,
            dueWallMs: 1_790_000_000_000,
            interval: IntervalSpan(startWallMs: 0, endWallMs: 1, zone: "UTC"),
            evidence: ActivityEvidence(rule: Message(verbatim: "a rule"), parts: [], more: 0)
        )
    }

    /// An event of the activity stream; `sequence` also makes its id.
    func event(_ occurrence: ActivityOccurrence, _ sequence: Int64, timeMs: Int64 = 0) throws -> WireEvent {
        let subject = "\(occurrence.app)/\(occurrence.activity)"
        var event: WireEvent
        switch occurrence.occasion {
        case .thresholdReached:
            event = try CoreBench<MonitorState>.event(
                ThresholdReached.self,
                sequence: sequence,
                subject: subject,
                body: occurrence
            )
        case .intervalEnded:
            event = try CoreBench<MonitorState>.event(
                IntervalEnded.self,
                sequence: sequence,
                subject: subject,
                body: occurrence
            )
        default:
            event = try CoreBench<MonitorState>.event(
                IntervalStarted.self,
                sequence: sequence,
                subject: subject,
                body: occurrence
            )
        }
        event.header.timeMs = timeMs
        event.header.traceparent = TraceContext.fresh().traceparent
        return event
    }

    /// Adds an event and returns the number of its delivery.
    @discardableResult
    mutating func happens(
        _ occasion: ActivityOccasion = .intervalStarted,
        app: String = app,
        member: String = member,
        event: String? = nil
    ) throws -> Int64 {
        activities += 1
        let occurrence = Self.occurrence(occasion, app: app, member: member, event: event)
        try bench.follow([try self.event(occurrence, activities)])
        return activities
    }

    // MARK: - Service

    func next(except: [String] = [], isSingle: Bool = false) throws -> [NextDelivery] {
        try bench.nextDeliveries(except: Set(except), isSingle: isSingle)
    }

    func begin(_ number: Int64) throws -> Delivery? {
        try bench.begin([number]).first?.delivery
    }

    @discardableResult
    func finish(_ delivery: Delivery, _ problem: Problem? = nil, lastOutput: [String] = []) throws
        -> FinishedDelivery
    {
        let result = DeliveryResult(problem: problem, tookMs: 3, privateKib: 2_000, lastOutput: lastOutput)
        return try bench.finish(delivery.number, attempt: delivery.attempt, result)
    }

    /// One complete attempt.
    @discardableResult
    func attempt(_ number: Int64, _ problem: Problem? = nil) throws -> FinishedDelivery {
        guard let delivery = try begin(number) else {
            throw Problem("test.not_claimed", verbatim: "\(number) was not claimed")
        }
        return try finish(delivery, problem)
    }

    func view(_ number: Int64) throws -> DeliveryView? {
        try bench.ask(MonitorDeliveries.self, .init()).deliveries.first { $0.delivery == "D\(number)" }
    }

    static let crash = Problem("extension.crashed", "It fell.", retryable: true, details: ["signal": "SEGV"])
    static let heavy = Problem(
        "extension.over_memory",
        "It used too much.",
        details: ["bytes": "21705523", "limit_bytes": "6291456"]
    )
}
