import STContracts
import STDomain
import STPlatform

/// A moment or a time of day as text. A moment is `2026-10-25 02:30:00.500`, with an offset such as `+01:00` if the clock shows
/// that time twice. A time of day such as `02:30` means the next time that the clock shows it.
package enum CivilText: Sendable, Equatable {
    /// The local time, and the offset from UTC if it is given.
    case moment(localMs: Int64, offset: Duration?)
    case timeOfDay(ms: Int64)

    static let expectation =
        "Write a moment as 2026-10-25 02:30, 2026-10-25 02:30:00.500 or 2026-10-25T02:30+01:00, and a time of day as 02:30."

    init?(_ text: String) {
        guard text.utf8.count <= 40 else { return nil }
        let (body, offset) = Self.withoutOffset(text)
        guard let body else { return nil }
        let parts = body.split(omittingEmptySubsequences: false) { $0 == " " || $0 == "T" }
        switch parts.count {
        case 1:
            guard offset == nil, let ms = Self.timeOfDay(parts[0]) else { return nil }
            self = .timeOfDay(ms: ms)
        case 2:
            guard let date = CivilDate(text: String(parts[0])), let ms = Self.timeOfDay(parts[1]) else {
                return nil
            }
            self = .moment(localMs: Int64(date.daysSinceEpoch) * 86_400_000 + ms, offset: offset)
        default: return nil
        }
    }

    /// Returns the moment. For a time of day, it is the first such moment that is not before `after`.
    func wall(in zone: ZoneRules, after: WallTime = WallTime(ms: 0)) -> WallTime {
        switch self {
        case .moment(let localMs, let offset):
            if let offset { return WallTime(ms: localMs) - offset }
            return WallTime(ms: zone.moment(showing: localMs).firstMs)
        case .timeOfDay(let ms):
            let local = zone.localMs(atMs: after.ms)
            var day = local - Self.floorModulo(local, 86_400_000)
            while true {
                let showing = zone.moment(showing: day + ms)
                let (first, second) = (WallTime(ms: showing.firstMs), showing.secondMs.map(WallTime.init))
                if first >= after { return first }
                if let second, second >= after { return second }
                day += 86_400_000
            }
        }
    }

    private static func floorModulo(_ value: Int64, _ by: Int64) -> Int64 {
        let rest = value % by
        return rest < 0 ? rest + by : rest
    }

    /// Returns the text before an offset, and the offset. The text is `nil` if the offset is not valid.
    private static func withoutOffset(_ text: String) -> (body: Substring?, offset: Duration?) {
        if text.hasSuffix("Z") { return (text.dropLast(), .zero) }
        guard let sign = text.dropFirst(10).lastIndex(where: { $0 == "+" || $0 == "-" }) else {
            return (text[...], nil)
        }
        guard let ms = timeOfDay(text[text.index(after: sign)...]), ms % 60_000 == 0 else {
            return (nil, nil)
        }
        var body = text[..<sign]
        if body.last == " " { body = body.dropLast() }
        return (body, .milliseconds(text[sign] == "-" ? -ms : ms))
    }

    private static func timeOfDay(_ text: Substring) -> Int64? {
        let seconds = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = seconds[0].split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ $0.utf8.count == 2 }),
            parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let hour = Int64(parts[0]), let minute = Int64(parts[1]),
            let second = parts.count == 3 ? Int64(parts[2]) : 0, hour < 24, minute < 60, second < 60
        else { return nil }
        var ms = ((hour * 60 + minute) * 60 + second) * 1000
        if seconds.count == 2 {
            guard parts.count == 3, seconds[1].utf8.count == 3, let fraction = Int64(seconds[1]),
                fraction >= 0
            else { return nil }
            ms += fraction
        }
        return ms
    }

    // MARK: - Writing

    /// Returns a moment as text, for example `2026-10-25 02:30:00.000`. The text has an offset if the clock shows that time
    /// twice.
    static func text(_ wall: WallTime, _ zone: ZoneRules) -> String {
        let local = zone.localMs(atMs: wall.ms)
        let day = RFC3339.text(wallMs: local)
        let text = "\(day.prefix(10)) \(day.dropFirst(11).prefix(12))"
        return zone.moment(showing: local).secondMs == nil
            ? text : text + offset(zone.offsetMs(atMs: wall.ms))
    }

    private static func offset(_ ms: Int64) -> String {
        let minutes = Int(ms.magnitude / 60_000)
        return (ms < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60)
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// Days of the week as text, for example `mon-fri`, `sat,sun` or `fri-mon`.
enum WeekdayText {
    private static let names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    static let expectation = "Write days as mon-fri, as sat,sun or as daily."

    /// Parses days, where 1 is Sunday. Returns `nil` if the text is not a list of days.
    static func days(_ text: String) -> [Int]? {
        if text == "daily" { return Array(1...7) }
        var days: Set<Int> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { name in
                names.firstIndex(of: String(name))
            }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else {
                return nil
            }
            var day = first
            days.insert(day + 1)
            while day != last {
                day = (day + 1) % 7
                days.insert(day + 1)
            }
        }
        return days.sorted()
    }
}
