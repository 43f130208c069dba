import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ

/// A fixed week in the past of one person, used by the reports of the example apps.
struct ReportWeek {
    /// Monday, 3 November 2025, in UTC.
    static let startMs: Int64 = 1_762_128_000_000
    private static let hourMs: Int64 = 3_600_000

    /// Start, minutes and app. Nil means no usage.
    private static let day: [(hour: Int64, minutes: Int64, app: String?)] = [
        (9, 75, "code"), (10, 20, "org.mozilla.firefox"), (11, 50, "org.libreoffice.LibreOffice.Writer"),
        (14, 40, "org.gnome.Evolution"), (15, 90, "code"), (19, 35, "steam"), (20, 25, "discord"),
    ]

    static var filter: ReportFilter {
        ReportFilter(
            segment: .day,
            fromWallMs: startMs,
            toWallMs: startMs + 7 * 24 * hourMs,
            users: .all,
            models: [],
            applications: [],
            categories: [],
            webDomains: []
        )
    }

    /// Each day differs slightly, so that no two sums are equal.
    static func observations(of member: String) -> [Observation] {
        var seen: [Observation] = []
        func add(_ wallMs: Int64, _ app: String?) {
            let ms = wallMs - startMs
            seen.append(
                Observation(
                    sequence: Int64(seen.count + 1),
                    bootId: "boot-of-the-week",
                    at: TimeReading(wallMs: wallMs, bootMs: ms, monotonicMs: ms),
                    zone: "UTC",
                    member: member,
                    presence: app == nil ? .idle : .active,
                    app: app,
                    unbroken: true
                )
            )
        }
        add(startMs, nil)
        for number in 0..<Int64(7) {
            for (index, part) in day.enumerated() where number < 5 || index > 4 {
                let fromMs = startMs + (number * 24 + part.hour) * hourMs
                // Within an hour, an entry begins at the end of the previous one.
                let startMs = max(fromMs, (seen.last?.wallMs ?? 0))
                add(startMs, part.app)
                add(startMs + (part.minutes + number * 2) * 60_000, nil)
            }
        }
        return seen
    }

    static func live(in system: TestSystem) async throws {
        let member = try await system.client.call(MemberList.self, Empty()).members[0].name
        let seen = observations(of: member)
        let request = UsageObserve.Request(agent: "agent", run: "week", observations: seen)
        try await eventually("activity-center accepts usage of \(member)") {
            _ = try await system.client.call(UsageObserve.self, request)
        }
        try await eventually(within: .seconds(60), "report-service has received the usage") {
            let usage = try await system.client.call(
                ReportUsage.self,
                .init(fromWallMs: startMs, toWallMs: startMs + 7 * 24 * hourMs, segment: .whole, by: [])
            )
            let expected = zip(seen, seen.dropFirst()).filter { $0.0.app != nil }
                .reduce(0) { $0 + $1.1.wallMs - $1.0.wallMs }
            guard usage.segments.first?.usedMs == expected else { throw NotYet("\(usage)") }
        }
    }
}
