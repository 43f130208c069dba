import STContracts
import STPlatform

/// Requests that a service accepts, as a basis for mutations.
enum ValidRequests {
    /// Omits only `data.backup`, whose mutated paths could name any files.
    static func all(of service: ServiceName) throws -> [[[UInt8]]] {
        let names = (Catalogue.common + (Catalogue.entry(service)?.routes ?? [])).map(\.name)
            .filter { $0 != DataBackup.name }
        return try names.flatMap { route in
            try bodies(route).map { [header(route), $0] } + [[header(route)]]
        }
    }

    private static func header(_ route: String) -> [UInt8] {
        RequestHeader(
            id: "01JD0000000000000000000000",
            route: route,
            timeoutMs: 2000,
            traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            cause: "01JD0000000000000000000001"
        ).encoded()
    }

    private static func bodies(_ route: String) throws -> [[UInt8]] {
        switch route {
        case EventsSince.name:
            try ["usage", "authorization", "policy"].map {
                try EventsSince.Request(stream: $0, epoch: "0", sequence: 1, id: "0", limit: 3).encodedBody()
            }
        case EventsSnapshot.name:
            [try EventsSnapshot.Request(stream: "usage", next: "0/e/1/i", limit: 3).encodedBody()]
        case UsageObserve.name: [try observe().encodedBody()]
        case UsageList.name:
            [
                try UsageList.Request(next: "3", limit: 10).encodedBody(),
                try UsageList.Request(next: "5.1", fromWallMs: 1, toWallMs: 9, member: "root").encodedBody(),
            ]
        case UsageNotifications.name:
            [try UsageNotifications.Request(member: "root", next: "3").encodedBody()]
        case UsageImport.name: [try past().encodedBody()]
        case MemberAdd.name: [try Member(name: "member-3", role: .child).encodedBody()]
        case AuthRequest.name: [try AuthRequest.Request(app: "an.app", scope: .individual).encodedBody()]
        case AuthCheck.name:
            [try AuthCheck.Request(app: "an.app", member: "root", tokens: ["AQID"]).encodedBody()]
        case AuthSwitch.name:
            [try AuthSwitch.Request(app: "an.app", access: false, by: "root", passcode: "1234").encodedBody()]
        case TokenIssue.name:
            [
                try TokenIssue.Request(
                    app: "screentime.rules",
                    items: [TokenItem(kind: .domain, id: "example.org")]
                ).encodedBody()
            ]
        case TokenResolve.name:
            [try TokenResolve.Request(app: "screentime.rules", tokens: ["AQID", ""]).encodedBody()]
        case ReportDay.name:
            [try ReportDay.Request(day: "2026-03-10", member: "root", by: .site).encodedBody()]
        case SettingsGet.name: [SettingsGet.Request(app: "an.app", store: "main").encodedBody()]
        case SettingsSet.name:
            [
                Array(
                    #"{"app":"screentime.rules","store":"main","settings":{"shield.applications":[{"id":"a"}]}}"#
                        .utf8
                )
            ]
        case NotifyPost.name:
            [try NotifyPost.Request(app: "an.app", id: "n", title: "Title", body: "Body").encodedBody()]
        case NotifyList.name: [try NotifyList.Request(app: "an.app", next: "3", limit: 10).encodedBody()]
        case RuleAdd.name: [try rule.encodedBody()]
        case RuleEdit.name: [try RuleEdit.Request(name: "rule", days: [2], say: "{left}").encodedBody()]
        case RuleList.name: [try RuleList.Request(kind: .limit, member: "root").encodedBody()]
        case RuleRemove.name: [try RuleRemove.Request(name: "rule").encodedBody()]
        case RulePause.name: [try RulePause.Request(name: "rule", forMs: 60_000).encodedBody()]
        default: [Array("{}".utf8)]
        }
    }

    static func past() -> UsageImport.Request {
        let row = Segment(
            segment: "segment",
            agent: "agent",
            run: "run",
            sequence: 1,
            member: "root",
            presence: .active,
            app: "app",
            domain: nil,
            bootId: "past",
            startBootMs: 0,
            endBootMs: 1_000,
            startWallMs: 1_773_100_000_000,
            zone: "UTC"
        )
        let count = NotificationCount(
            member: "root",
            app: "app",
            count: 1,
            wallMs: 1_773_100_000_000,
            zone: "UTC"
        )
        return UsageImport.Request(rows: [row], notifications: [count], dryRun: true)
    }

    private static let rule = RuleSpec(
        kind: .goal,
        name: "rule",
        targets: [TokenItem(kind: .application, id: "code")],
        durationMs: 3_600_000,
        days: [2, 3],
        opens: [TokenItem(kind: .category, id: "games"), TokenItem(kind: .domain, id: "a.example")],
        warnMs: 60_000,
        say: "{used} of {limit}"
    )

    private static func observe() -> UsageObserve.Request {
        let reading = TimeReading(wallMs: 1_773_187_190_000, bootMs: 2_000_000, monotonicMs: 2_000_000)
        let seen = Observation(
            sequence: 1,
            bootId: "boot",
            at: reading,
            zone: "UTC",
            member: "root",
            presence: .active,
            app: "app",
            domain: "example.org"
        )
        return UsageObserve.Request(agent: "agent", run: "run", observations: [seen])
    }
}
