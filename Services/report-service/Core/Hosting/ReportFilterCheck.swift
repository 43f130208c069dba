import STContracts
import STDomain
import STPlatform

/// Checks an app's filter before any lookup.
enum ReportFilterCheck {
    static func check(_ filter: ReportFilter) throws {
        try checkSegment(filter.segment)
        guard ReportLimits.wallMs.contains(filter.fromWallMs), ReportLimits.wallMs.contains(filter.toWallMs)
        else {
            throw Problem(
                "report.bad_interval",
                "The interval must be within the years 1970 to 2199.",
                field: "/filter/from_wall_ms"
            )
        }
        guard filter.fromWallMs <= filter.toWallMs else {
            throw Problem(
                "report.bad_interval",
                """
                The interval ends (\(RFC3339.text(wallMs: filter.toWallMs), "toWall")) before it begins (\(RFC3339.text(wallMs: filter.fromWallMs), "fromWall")).
                """,
                key: "report.bad_interval.the-interval-ends",
                field: "/filter/to_wall_ms"
            )
        }
        let isByHours = filter.segment == .hour
        let length = WallTime(ms: filter.toWallMs) - WallTime(ms: filter.fromWallMs)
        guard length <= (isByHours ? ReportLimits.longestByHours : ReportLimits.longestByDays) else {
            throw Problem(
                "report.too_long",
                text: isByHours
                    ? Message(
                        "report.too_long.a-report-by-hours",
                        "An hourly report covers at most a year. Use days or a shorter interval."
                    )
                    : Message(
                        "report.too_long.at-most-ten-years",
                        "A report covers at most ten years. Use a shorter interval."
                    ),
                field: "/filter/to_wall_ms"
            )
        }
        if let weekday = filter.weekday, !(1...7).contains(weekday) {
            throw Problem(
                "report.bad_weekday",
                "The first day of the week must be a number from 1 (Sunday) to 7 (Saturday).",
                field: "/filter/weekday"
            )
        }
        _ = try filter.users?.required("/filter/users")
        for (index, model) in (filter.models ?? []).enumerated() {
            _ = try model.required("/filter/models/\(index)")
        }
    }

    private static func checkSegment(_ segment: ReportSegmentation) throws {
        switch segment {
        case .hour, .day, .week: return
        case .whole:
            throw Problem(
                "report.bad_segment",
                "The segments in an app's filter must be an hour, a day or a week. For a total, add the segments up.",
                field: "/filter/segment"
            )
        case .unknown:
            throw Problem(
                "report.bad_segment",
                "A segment must be an hour, a day or a week. Nothing finer than an hour is stored.",
                key: "report.bad_segment.a-segment-is",
                field: "/filter/segment"
            )
        }
    }

    /// Checks a language, which becomes part of a process's environment.
    static func check(language: String?) throws {
        guard let language else { return }
        let isPlain = language.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isPlain, (1...ReportLimits.languageBytes).contains(language.utf8.count) else {
            throw Problem(
                "report.bad_language",
                "Write the language as a code, such as ko, ko-KR or en_US.",
                field: "/language"
            )
        }
    }

    static func check(context: String) throws {
        guard context.isPlain, (1...ReportLimits.contextBytes).contains(context.utf8.count) else {
            throw Problem(
                "report.bad_context",
                """
                The name of a report must have 1 to \(ReportLimits.contextBytes, "contextBytes") bytes and \
                no control characters.
                """,
                field: "/context"
            )
        }
    }

    /// Returns the filter of a request without one: today, by hours.
    static func today(_ now: TimeReading, zone: String) -> ReportFilter {
        let day = LocalDay(zone: zone)
        let end = day.end(ofDayAtWallMs: now.wallMs)
        // The preceding day ends at the beginning of this one, whatever the lengths of the two days are.
        var from = now.wallMs - 26 * 3_600_000
        while day.end(ofDayAtWallMs: from) <= now.wallMs { from = day.end(ofDayAtWallMs: from) }
        return ReportFilter(
            segment: .hour,
            fromWallMs: from,
            toWallMs: end,
            applications: [],
            categories: [],
            webDomains: []
        )
    }
}

/// Limits of reports for apps.
package enum ReportLimits {
    /// The longest interval by hours: a year, and one hour for a clock that is set back.
    package static let longestByHours = Duration.seconds((366 * 24 + 1) * 3_600)
    /// The longest interval by days or weeks: ten years.
    package static let longestByDays = Duration.seconds(3_660 * 24 * 3_600)
    /// The moments whose local hours are known.
    package static let wallMs: ClosedRange<Int64> = 0...ZoneRules.lastMs
    package static let contextBytes = 200
    package static let languageBytes = 35
    /// Upper bound on the reports of one app.
    package static let contexts = 100
    /// Upper bound on the reports in progress or waiting.
    package static let renders = 32
    /// Upper bound on the reports of one app in progress or waiting.
    package static let rendersOfApp = 4
    /// Upper bound on the read-model pages for one page of an app's data, because other requests wait meanwhile.
    static let pagesPerReply = 50
    /// Upper bound on the finished reports that can be fetched. Each has at most `PageLimits.bytes`.
    package static let pages = 16
    /// Upper bound on the tokens in one reply of auth-service.
    package static let tokens = 500
}
