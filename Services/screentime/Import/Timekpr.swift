import Glibc
import STCommandCore
import STContracts
import STPlatform

/// Reads an account's settings of timekpr-next. Its limits become rules, and the time of the last day becomes usage.
enum Timekpr {
    private static let bytesMax = 1_000_000
    private static let dayS = 86_400
    private static let minutesOfDay = 1_440

    static func read(_ invocation: Invocation) throws -> ImportFindings {
        let folder = try FileTree.absolute(invocation.value("--folder") ?? "/var/lib/timekpr")
        let user = invocation.subjects.first ?? AccountName.current
        guard !user.isEmpty, !user.contains("/"), !user.hasPrefix(".") else {
            throw Problem(
                "import.bad_user",
                "Give the account name that timekpr uses.",
                key: "import.bad_user.name-the-account",
                help: "screentime import timekpr anna"
            )
        }
        let path = "\(folder)/config/timekpr.\(user).conf"
        guard access(path, R_OK) == 0 else {
            throw Problem(
                "import.no_timekpr",
                """
                timekpr has no readable settings for \(DisplayWidth.sanitized(user), "user"): \(path, "path") \
                does not exist or cannot be read.
                """,
                help: "screentime import timekpr USER --folder FOLDER"
            )
        }
        let text = String(decoding: try AtomicFile.read(path, limitBytes: bytesMax), as: UTF8.self)
        let sections = KeyFile.sections(text)
        guard let own = sections[user] else {
            throw Problem(
                "import.bad_file",
                """
                \(path, "path") has no section [\(DisplayWidth.sanitized(user), "user")], so it is not a \
                configuration file of timekpr.
                """,
                key: "import.bad_file.has-no-section",
                help: "screentime import timekpr USER"
            )
        }
        var findings = ImportFindings(account: user)
        add(own, to: &findings)
        if let play = sections["\(user).PLAYTIME"], play["PLAYTIME_ENABLED"]?.lowercased() == "true" {
            addPlay(play, to: &findings)
        }
        try addTime([folder, "work", "\(user).time"].joined(separator: "/"), user, to: &findings)
        if findings.rules.isEmpty {
            findings.remarks.append(
                Speech.say(
                    "import.timekpr-limits-nothing-for",
                    "timekpr has no limits for \(DisplayWidth.sanitized(user), "user")."
                )
            )
        } else {
            findings.remarks.append(
                Speech.say(
                    "import.timekpr-goes-on-holding",
                    """
                    timekpr continues to enforce its own limits while it is installed. To keep only the \
                    imported limits, run `sudo apt remove timekpr-next`.
                    """
                )
            )
        }
        return findings
    }

    // MARK: - Limits

    private static func add(_ own: [String: String], to findings: inout ImportFindings) {
        let allowed = list(own["ALLOWED_WEEKDAYS"] ?? "1;2;3;4;5;6;7").compactMap { Int($0) }
        let limits = amounts(own["LIMITS_PER_WEEKDAYS"], of: allowed)
        var closed = [Bool](repeating: false, count: 7 * minutesOfDay)
        var isFree = false
        for day in 1...7 {
            let first = (day - 1) * minutesOfDay
            let hours = list(own["ALLOWED_HOURS_\(day)"] ?? (0..<24).map(String.init).joined(separator: ";"))
            isFree = isFree || hours.contains { $0.hasPrefix("!") }
            let isOpen = allowed.contains(day) && limits[day] != 0
            for minute in 0..<minutesOfDay { closed[first + minute] = true }
            for range in isOpen ? hours.compactMap({ minutes(ofHour: $0) }) : [] {
                for minute in range { closed[first + minute] = false }
            }
        }
        for (index, time) in downtimes(closed).enumerated() {
            findings.rules.append(
                RuleSpec(
                    kind: .downtime,
                    name: name("downtime", index),
                    window: RuleWindow(
                        from: ZonedClock.time(minute: time.from),
                        to: ZonedClock.time(minute: time.to)
                    ),
                    days: time.days.count == 7 ? nil : time.days,
                    then: .shield
                )
            )
        }
        let groups = Dictionary(grouping: limits.filter { $0.value > 0 && $0.value < dayS }, by: \.value)
        for (index, group) in groups.sorted(by: { $0.key < $1.key }).enumerated() {
            findings.rules.append(
                limit(name("limit", index), targets: [], seconds: group.key, days: group.value.map(\.key))
            )
        }
        if isFree {
            findings.remarks.append(
                Speech.say(
                    "import.timekpr-counts-nothing-in",
                    """
                    timekpr does not count time in hours marked with “!”. Screen Time counts it towards the \
                    limit. To exempt individual apps, use `screentime allow add`.
                    """
                )
            )
        }
        let week = own["LIMIT_PER_WEEK"].flatMap { Int($0) } ?? 7 * dayS
        let month = own["LIMIT_PER_MONTH"].flatMap { Int($0) } ?? 31 * dayS
        for (seconds, most, word) in [
            (week, 7 * dayS, Speech.say("import.week", "week")),
            (month, 31 * dayS, Speech.say("import.month", "month")),
        ] where seconds < most {
            let length = TextFormat.duration(ms: Int64(seconds) * 1000, in: Speech.language, inHours: true)
            findings.remarks.append(
                Speech.say(
                    "import.left-out-the-limit",
                    """
                    Left out: the limit of \(length, "length") per \(word, "word"). In Screen Time, limits \
                    apply per day.
                    """
                )
            )
        }
    }

    private static func addPlay(_ play: [String: String], to findings: inout ImportFindings) {
        let masks = play.filter { $0.key.hasPrefix("PLAYTIME_ACTIVITY_") }.sorted { $0.key < $1.key }.map(
            \.value
        )
        var targets: [TokenItem] = []
        var left: [String] = []
        for text in masks {
            let mask = text.split(whereSeparator: { "[(".contains($0) }).first.map(String.init) ?? text
            let isPlain = mask.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) }
            if isPlain, let name = ImportFindings.name(mask) {
                targets.append(TokenItem(kind: .application, id: name))
            } else {
                left.append(DisplayWidth.sanitized(mask))
            }
        }
        let allowed = list(play["PLAYTIME_ALLOWED_WEEKDAYS"] ?? "1;2;3;4;5;6;7").compactMap { Int($0) }
        let limits = amounts(play["PLAYTIME_LIMITS_PER_WEEKDAYS"], of: allowed)
        let groups = Dictionary(grouping: limits.filter { $0.value > 0 && $0.value < dayS }, by: \.value)
        if !targets.isEmpty {
            for (index, group) in groups.sorted(by: { $0.key < $1.key }).enumerated() {
                findings.rules.append(
                    limit(
                        name("playtime", index),
                        targets: targets,
                        seconds: group.key,
                        days: group.value.map(\.key)
                    )
                )
            }
        }
        if !left.isEmpty {
            let patterns = left.joined(separator: ", ")
            findings.remarks.append(
                Speech.say(
                    "import.left-out-of-playtime",
                    "Left out of PlayTime, because these are patterns and not names: \(patterns, "patterns")."
                )
            )
        }
        let none = (1...7).filter { limits[$0] ?? 0 == 0 }
        if !targets.isEmpty, !none.isEmpty, none.count < 7 {
            findings.remarks.append(
                Speech.say(
                    "import.on-days-without-playtime",
                    """
                    On days without PlayTime, timekpr ends these apps immediately. In Screen Time, they have \
                    no limit on those days. To set the hours in which an app is allowed, use `screentime \
                    window add`.
                    """
                )
            )
        }
    }

    private static func limit(_ name: String, targets: [TokenItem], seconds: Int, days: [Int])
        -> RuleSpec
    {
        let ms = Int64(seconds) * 1000
        return RuleSpec(
            kind: .limit,
            name: name,
            targets: targets,
            durationMs: ms,
            days: days.count == 7 ? nil : days.map(weekday).sorted(),
            then: .shield,
            warnMs: ms >= 600_000 ? 300_000 : nil
        )
    }

    private static func name(_ kind: String, _ index: Int) -> String {
        "timekpr-\(kind)" + (index == 0 ? "" : "-\(index + 1)")
    }

    /// Returns the amounts by timekpr's weekdays. The text has them in the order of the allowed days.
    private static func amounts(_ text: String?, of days: [Int]) -> [Int: Int] {
        let values = text.map { list($0).map { min(max(Int($0) ?? 0, 0), dayS) } }
        return Dictionary(
            days.enumerated().map { index, day in
                (day, values.map { index < $0.count ? $0[index] : 0 } ?? dayS)
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    // MARK: - Times

    /// Returns the allowed minutes of the day for `8`, `!8` or `8[15-60]`.
    private static func minutes(ofHour text: String) -> Range<Int>? {
        let parts = text.drop { $0 == "!" }.split(separator: "[", maxSplits: 1)
        guard let hour = parts.first.flatMap({ Int($0) }), (0..<24).contains(hour) else { return nil }
        guard parts.count == 2 else { return text.contains("[") ? nil : hour * 60..<(hour + 1) * 60 }
        let edges = parts[1].prefix { $0 != "]" }.split { "-:".contains($0) }.map { Int($0) }
        guard edges.count == 2, let from = edges[0], let to = edges[1], 0 <= from, from < to, to <= 60 else {
            return nil
        }
        return hour * 60 + from..<hour * 60 + to
    }

    private struct Downtime {
        var from: Int
        var to: Int
        /// The days of the week. 1 is Sunday.
        var days: [Int]
    }

    /// Returns the downtimes of a week, across midnights and the end of the week. Equal ones of several days become one.
    private static func downtimes(_ closed: [Bool]) -> [Downtime] {
        guard closed.contains(true) else { return [] }
        let count = closed.count
        // If no time is allowed, the week begins at midnight.
        let first = closed.indices.first { closed[$0] && !closed[($0 + count - 1) % count] } ?? 0
        var found: [Downtime] = []
        var minute = first
        while minute < first + count {
            guard closed[minute % count] else {
                minute += 1
                continue
            }
            var length = 1
            while minute + length < first + count, closed[(minute + length) % count] { length += 1 }
            // A downtime is shorter than a day, so a longer one is split at noon and at midnight.
            let piece = length < minutesOfDay ? length : min(length, 720 - minute % 720)
            let (from, to) = (minute % minutesOfDay, (minute + piece) % minutesOfDay)
            let day = weekday(minute % count / minutesOfDay + 1)
            if let index = found.firstIndex(where: { $0.from == from && $0.to == to }) {
                found[index].days = (found[index].days + [day]).sorted()
            } else {
                found.append(Downtime(from: from, to: to, days: [day]))
            }
            minute += piece
        }
        return found
    }

    /// Converts a weekday. Monday is 1 in timekpr and 2 here.
    private static func weekday(_ day: Int) -> Int { day % 7 + 1 }

    private static func list(_ text: String) -> [String] {
        text.split(separator: ";").map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
    }

    // MARK: - History

    /// Adds the time of one day. timekpr stores its length and its end, but not the times of use.
    private static func addTime(_ path: String, _ user: String, to findings: inout ImportFindings) throws {
        guard access(path, R_OK) == 0 else { return }
        let text = String(decoding: try AtomicFile.read(path, limitBytes: bytesMax), as: UTF8.self)
        guard let own = KeyFile.sections(text)[user],
            let seconds = own["TIME_SPENT_DAY"].flatMap({ Int64($0) }),
            (1...Int64(dayS)).contains(seconds),
            let end = own["LAST_CHECKED"].flatMap({ LocalMoment.wall($0, now: WallTime(ms: 0)) })
        else { return }
        let midnight = ZonedClock.here.start(of: ZonedClock.here.day(end))
        let stretch = ImportedInterval(start: max(midnight, end - .seconds(seconds)), end: end)
        if stretch.length > .zero {
            findings.devices = [ImportSource(name: "timekpr", isHere: true, stretches: [stretch])]
        }
    }
}

/// Parses files with sections in brackets and `KEY = value` lines.
enum KeyFile {
    static func sections(_ text: String) -> [String: [String: String]] {
        var sections: [String: [String: String]] = [:]
        var section = ""
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.drop(while: \.isWhitespace)
            if line.hasPrefix("#") { continue }
            if line.hasPrefix("["), let end = line.lastIndex(of: "]") {
                section = String(line[line.index(after: line.startIndex)..<end])
            } else if let equals = line.firstIndex(of: "=") {
                let key = String(line[..<equals].filter { !$0.isWhitespace })
                var value = line[line.index(after: equals)...].drop(while: \.isWhitespace)
                while value.last?.isWhitespace == true { value.removeLast() }
                sections[section, default: [:]][key] = String(value)
            }
        }
        return sections
    }
}
