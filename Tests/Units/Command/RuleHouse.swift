import STCommandCore
import STCommandKit
import STContracts
import STPlatform
import STTestSupport
import Synchronization

/// The services that commands of rules ask, with answers made from what they are asked.
final class RuleHouse: Sendable {
    private let asked = Mutex<[(route: String, body: [UInt8])]>([])
    private let rules: [RuleView]
    private let explained: [ExplainedActivity]
    private let apps: [String]?
    private let installed: [String]
    private let notes: [ActivityNote]
    private let usedBefore: [Int64]

    init(
        _ rules: [RuleView] = [],
        explained: [ExplainedActivity] = [],
        apps: [String]? = nil,
        installed: [String] = [],
        notes: [ActivityNote] = [],
        usedBefore: [Int64] = []
    ) {
        self.rules = rules
        self.explained = explained
        self.apps = apps
        self.installed = installed
        self.notes = notes
        self.usedBefore = usedBefore
    }

    /// The request of a route as it came last.
    func last<R: Route>(_ route: R.Type) throws -> R.Request? {
        let body = asked.withLock { $0.last { $0.route == R.name }?.body }
        return try body.map { try R.Request.decodedBody($0) }
    }

    func run(_ line: [String], home: String? = nil) async throws -> (ExitCode, CommandOutput) {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let directories = Directories(run: scratch.path, state: scratch.path, config: scratch.path)
        var services: [FakeService] = []
        for name in [ServiceName.activity, .auth, .report, .desktop] {
            let service = try FakeService(name) { [self] route, body in
                asked.withLock { $0.append((route, body)) }
                return try answer(route, body)
            }
            try await service.start(directories)
            services.append(service)
        }
        let result = await CommandOutput.run(line, in: scratch.path, home: home)
        for service in services { await service.stop() }
        return result
    }

    private func answer(_ route: String, _ body: [UInt8]) throws -> [UInt8] {
        switch route {
        case RuleAdd.name:
            var spec = try RuleSpec.decodedBody(body)
            spec.member = spec.member ?? "owner"
            spec.then = spec.then ?? .notify
            var view = RuleWordsTests.view(spec.name ?? "made", spec)
            view.when = "now: Fri 20 Nov 00:00 to Sat 21 Nov 00:00 (1 d)"
            return try RuleAdd.Reply(rule: view, notes: notes).encodedBody()
        case RuleEdit.name:
            let name = try RuleEdit.Request.decodedBody(body).name
            return try RuleAdd.Reply(rule: try find(name), notes: notes).encodedBody()
        case RuleList.name:
            let request = try RuleList.Request.decodedBody(body)
            let found = rules.filter { request.kind == nil || request.kind == $0.rule.kind }
            return try RuleList.Reply(rules: found, next: nil).encodedBody()
        case RuleRemove.name:
            let name = try RuleRemove.Request.decodedBody(body).name
            return try RuleRemove.Reply(rule: try find(name)).encodedBody()
        case RulePause.name:
            let request = try RulePause.Request.decodedBody(body)
            var view = try find(request.name)
            view.pausedUntil = request.forMs == 0 ? nil : "2026-11-20T18:00:00.000Z"
            return try RulePause.Reply(rule: view).encodedBody()
        case ActivityExplain.name: return try ActivityExplain.Reply(activities: explained).encodedBody()
        case MemberList.name:
            let members = [Member(name: "owner", role: .individual), Member(name: "kid", role: .child)]
            return try MemberList.Reply(device: Device(id: "d", name: "desk"), members: members).encodedBody()
        case ReportUsage.name: return try report(try ReportUsage.Request.decodedBody(body)).encodedBody()
        case DesktopCatalogue.name:
            let apps = installed.map { CatalogueApp(app: $0, name: $0, category: "other", origin: .system) }
            return try DesktopCatalogue.Reply(apps: apps, version: 1).encodedBody()
        default: throw Problem("route.not_found", verbatim: route)
        }
    }

    private func find(_ name: String) throws -> RuleView {
        guard let rule = rules.first(where: { $0.rule.name == name }) else {
            throw Problem("rule.not_found", verbatim: name, field: "/name")
        }
        return rule
    }

    /// What was used by app, or the days before a new limit.
    private func report(_ request: ReportUsage.Request) throws -> ReportUsage.Reply {
        guard let apps else { throw Problem("unavailable", "") }
        let days = request.by.isEmpty ? usedBefore : [0]
        let segments = days.map { usedMs in
            ReportUsageSegment(
                startWallMs: request.fromWallMs,
                endWallMs: request.toWallMs,
                day: "2026-11-20",
                usedMs: usedMs,
                absentMs: 0,
                unobservedMs: 0,
                shieldedMs: 0,
                pickups: 0,
                idlePickups: 0,
                notifications: 0,
                rows: request.by.isEmpty
                    ? [] : apps.map { ReportUsageRow(app: $0, usedMs: 1_000, pickups: 0, notifications: 0) }
            )
        }
        return ReportUsage.Reply(zone: "Europe/Berlin", segments: segments, isOpen: false)
    }
}
