import STContracts
import STDomain
import STPlatform

/// What an app asks to see, checked before anything is looked up.
enum ReportFilterCheck {
    static func check(_ filter: ReportFilter) throws {
        try checkSegment(filter.segment)
        guard ReportLimits.wallMs.contains(filter.fromWallMs), ReportLimits.wallMs.contains(filter.toWallMs)
        else {
            throw Problem(
                "report.bad_interval",
                "The interval lies outside of the years 1970 to 2199.",
                field: "/filter/from_wall_ms"
            )
        }
        guard filter.fromWallMs <= filter.toWallMs else {
            throw Problem(
                "report.bad_interval",
                "The interval ends (\(RFC3339.text(wallMs: filter.toWallMs))) before it begins "
                    + "(\(RFC3339.text(wallMs: filter.fromWallMs))).",
                field: "/filter/to_wall_ms"
            )
        }
        let isByHours = filter.segment == .hour
        guard filter.toWallMs - filter.fromWallMs <= (isByHours ? ReportLimits.hoursMs : ReportLimits.daysMs)
        else {
            throw Problem(
                "report.too_long",
                isByHours
                    ? "A report by hours is of at most a year. Take days, or a shorter interval."
                    : "A report is of at most ten years. Take a shorter interval.",
                field: "/filter/to_wall_ms"
            )
        }
        if let weekday = filter.weekday, !(1...7).contains(weekday) {
            throw Problem(
                "report.bad_weekday",
                "A week begins on one of the days 1 (Sunday) to 7 (Saturday).",
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
                "A filter of an app has segments of an hour, a day or a week; add them up for the whole.",
                field: "/filter/segment"
            )
        case .unknown:
            throw Problem(
                "report.bad_segment",
                "There are segments of an hour, a day and a week, and none that is finer than an hour.",
                field: "/filter/segment"
            )
        }
    }

    /// It becomes part of a process's environment.
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
                "A language is written as ko, ko-KR or en_US.",
                field: "/language"
            )
        }
    }

    static func check(context: String) throws {
        let isPlain = context.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard isPlain, (1...ReportLimits.contextBytes).contains(context.utf8.count) else {
            throw Problem(
                "report.bad_context",
                "The name of a report has 1 to \(ReportLimits.contextBytes) bytes and no control characters.",
                field: "/context"
            )
        }
    }

    /// Today, by hours: what is meant where nobody says anything.
    static func today(_ now: TimeReading, zone: String) -> ReportFilter {
        let day = LocalDay(zone: zone)
        let end = day.end(ofDayAtWallMs: now.wallMs)
        // The day before ends where this one begins, however long either of them is.
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
