import STContracts
package import STPlatform

/// Exception dates of a command line: `2026-12-24..2027-01-06,2027-04-02`, or a calendar file of holidays.
package enum ExceptionDays {
    static let expectation = Message(
        "rule.days-expectation",
        "dates such as 2026-12-25 or 2026-12-24..2027-01-06, or a calendar file such as holidays.ics"
    )

    static let past = "usage.past_dates"

    private static let rangeMax = 366
    private static let fileBytesMax = 1 << 20
    /// Upper bound on the days of a rule.
    private static let daysMax = 200

    /// Returns the days without those that have passed. Returns no days for `0`.
    package static func read(_ text: String, today: CivilDate, _ line: String) throws -> [String] {
        if text == "0" { return [] }
        let isFile = text.contains("/") || text.lowercased().hasSuffix(".ics")
        let days =
            isFile
            ? try CalendarFile.days(AtomicFile.read(text, limitBytes: fileBytesMax), from: today)
            : try typed(text, line)
        let coming = Set(days.map(\.text).filter { $0 >= today.text }).sorted()
        guard !coming.isEmpty else {
            throw Problem(
                past,
                text: isFile
                    ? Message(
                        "usage.past_dates.has-no-whole-day",
                        "“\(text, "text")” contains no all-day event from today on that Screen Time can read."
                    )
                    : Message(
                        "usage.past_dates",
                        "“\(text, "text")” is in the past. Give dates from today on."
                    ),
                help: "\(line) \(today.adding(days: 1).text)"
            )
        }
        guard coming.count <= daysMax else {
            throw Problem(
                "usage.bad_dates",
                """
                That is \(coming.count, "count") dates, but a rule can have at most \(daysMax, "most") \
                exception dates.
                """,
                help: "\(line) \(coming[0])..\(coming[daysMax - 1])"
            )
        }
        return coming
    }

    private static func typed(_ text: String, _ line: String) throws(Problem) -> [CivilDate] {
        var days: [CivilDate] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "..", omittingEmptySubsequences: false).map {
                CivilDate(text: String($0))
            }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
                (0...rangeMax).contains(last.daysSinceEpoch - first.daysSinceEpoch)
            else {
                throw Problem(
                    "usage.bad_dates",
                    "“\(text, "text")” is not a valid list of dates. Give \(expectation, "expectation").",
                    key: "usage.bad_dates.is-not-read",
                    help: "\(line) 2026-12-24..2027-01-06"
                )
            }
            days += (first.daysSinceEpoch...last.daysSinceEpoch).map { CivilDate(daysSinceEpoch: $0) }
        }
        return days
    }
}

/// The whole days of a calendar file (RFC 5545), from all-day events and from yearly ones.
///
/// Events with a time of day are not holidays, and are left out.
package enum CalendarFile {
    private struct Event {
        var start: CivilDate?
        /// The first day after the event.
        var end: CivilDate?
        var days: Int?
        var isYearly = false
        var isRead = true
        var lastYear = Int.max

        func days(in years: ClosedRange<Int>) -> [CivilDate] {
            guard isRead, let start else { return [] }
            let length = days ?? end.map { $0.daysSinceEpoch - start.daysSinceEpoch } ?? 1
            guard (1...CalendarFile.lengthMax).contains(length) else { return [] }
            let starts =
                isYearly
                ? years.filter { (start.year...max(start.year, lastYear)).contains($0) }.map {
                    // In a year without a 29 February, the event is on the day after.
                    CivilDate(
                        daysSinceEpoch: CivilDate(year: $0, month: start.month, day: start.day).daysSinceEpoch
                    )
                } : [start]
            return starts.flatMap { start in (0..<length).map { start.adding(days: $0) } }
        }
    }

    fileprivate static let lengthMax = 366
    /// The number of years ahead for which yearly events are read.
    private static let yearsAhead = 2
    private static let eventsMax = 20_000

    package static func days(_ bytes: [UInt8], from today: CivilDate) -> [CivilDate] {
        let years = today.year - 1...today.year + yearsAhead
        var days: [CivilDate] = []
        var event: Event?
        var events = 0
        // A continuation line begins with a blank.
        let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
            .replacing("\n ", with: "").replacing("\n\t", with: "")
        for line in text.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let name = line[..<colon].prefix { $0 != ";" }.uppercased()
            let value = line[line.index(after: colon)...].uppercased()
            switch (name, value) {
            case ("BEGIN", "VEVENT"): event = Event()
            case ("END", "VEVENT"):
                events += 1
                guard events <= eventsMax else { return days }
                days += (event?.days(in: years) ?? []).filter {
                    $0.text >= today.text && $0.year <= years.upperBound
                }
                event = nil
            case ("DTSTART", _): event?.start = date(value)
            case ("DTEND", _): event?.end = date(value)
            case ("DURATION", _): event?.days = duration(value)
            case ("STATUS", "CANCELLED"): event?.isRead = false
            case ("RRULE", _): event.map { event = repeated($0, value) }
            default: break
            }
        }
        return days
    }

    /// Parses `20261225`. Returns `nil` for a date with a time.
    private static func date(_ text: String) -> CivilDate? {
        guard text.utf8.count == 8 else { return nil }
        return CivilDate(text: "\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.suffix(2))")
    }

    /// Parses `P1D` or `P2W`.
    private static func duration(_ text: String) -> Int? {
        guard text.first == "P", let unit = text.last, let count = Int(text.dropFirst().dropLast()),
            (1...lengthMax).contains(count)
        else { return nil }
        return unit == "D" ? count : unit == "W" ? count * 7 : nil
    }

    /// Applies a repetition rule. Holidays are on one date of each year, so events with other rules are not read.
    private static func repeated(_ event: Event, _ rule: String) -> Event {
        var event = event
        for part in rule.split(separator: ";") {
            switch part.prefix(while: { $0 != "=" }) {
            case "FREQ": event.isYearly = part == "FREQ=YEARLY"
            case "UNTIL": event.lastYear = Int(part.dropFirst(6).prefix(4)) ?? 0
            case "INTERVAL" where part == "INTERVAL=1", "BYMONTH", "BYMONTHDAY", "WKST": break
            default: event.isRead = false
            }
        }
        event.isRead = event.isRead && event.isYearly
        return event
    }
}
