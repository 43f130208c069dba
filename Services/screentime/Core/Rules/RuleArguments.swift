package import STContracts
package import STPlatform

/// Converts the words after `limit add`, `downtime add` and so on into a rule.
enum RuleArguments {
    static func spec(_ kind: RuleKind, _ invocation: Invocation) throws -> RuleSpec {
        let line = "screentime \(kind.rawValue) add"
        let chosen = try invocation.value("--selection").map { try PickFile.items($0) } ?? []
        var spec = RuleSpec(kind: kind)
        let words = invocation.subjects
        switch kind {
        case .limit, .goal:
            let parts = try split(words, line: line) { TextFormat.durationMs($0) }
            spec.durationMs = parts.value
            spec.targets = try targets(parts.subjects, chosen: chosen, line: line, end: words.last)
            if kind == .goal {
                try refuseEverything(spec.targets, line: line, end: words.last)
                spec.opens = try opens(invocation, "\(line) \(words.joined(separator: " "))")
            }
        case .downtime:
            spec.window = try WindowText.window(words[0], line)
            spec.opens = try only(invocation, "\(line) \(words[0])")
        case .window:
            let parts = try split(words, line: line) { WindowText.read($0) }
            spec.window = parts.value
            spec.targets = try targets(parts.subjects, chosen: chosen, line: line, end: words.last)
            try refuseEverything(spec.targets, line: line, end: words.last)
        case .break:
            guard let after = try invocation.duration("--after") else {
                throw Problem(
                    "usage.option_missing",
                    "Add --after to set the amount of use after which a break is due.",
                    help: "\(line) \(words[0]) --after 50m"
                )
            }
            spec.restMs = try duration(words[0], "\(line) 5m --after 50m")
            spec.durationMs = after.ms
        case .allow, .session, .unknown:
            spec.targets = try targets(words, chosen: chosen, line: line, end: nil)
            try refuseEverything(spec.targets, line: line)
        }
        spec.name = invocation.value("--name")
        spec.member = invocation.value("--member")
        try common(&spec, invocation)
        warnByDefault(&spec)
        return spec
    }

    /// Sets a warning five minutes before the end of a limit, unless the limit is short or `--warn` is given.
    ///
    /// The text of `--say` is part of the warning too, so a rule with that option gets an early warning only on request.
    private static func warnByDefault(_ spec: inout RuleSpec) {
        guard spec.kind == .limit, spec.warnMs == nil, spec.say == nil, let durationMs = spec.durationMs,
            min(durationMs, spec.weekendMs ?? durationMs) >= warnedFrom.ms
        else { return }
        spec.warnMs = warningTime.ms
    }

    private static let warnedFrom: Duration = .seconds(60 * 10)
    private static let warningTime: Duration = .seconds(60 * 5)

    /// Returns the typed subjects and those of a selection file. Throws if there are none, which would mean everything.
    private static func targets(
        _ words: [String],
        chosen: [TokenItem],
        line: String,
        end: String?
    ) throws(Problem) -> [TokenItem] {
        let typed = try SubjectReader.items(words, after: line, before: end)
        if words.isEmpty, chosen.isEmpty {
            throw Problem(
                "usage.subject_missing",
                "SUBJECT is missing: an app such as firefox, category:social or site:reddit.com.",
                key: "usage.subject_missing.subject-is-missing",
                help: "\(line) firefox" + (end.map { " " + $0 } ?? "")
            )
        }
        guard !words.isEmpty, typed.isEmpty, !chosen.isEmpty else {
            return typed + chosen.filter { !typed.contains($0) }
        }
        throw Problem(
            "usage.bad_subject",
            "“\(SubjectReader.everything, "everything")” cannot be combined with other apps, sites or categories.",
            help: "\(line) \(SubjectReader.everything)" + (end.map { " " + $0 } ?? "")
        )
    }

    /// Returns the changes of `edit`, which can change everything except the rule's person.
    static func edit(_ kind: RuleKind, _ invocation: Invocation) throws -> RuleEdit.Request {
        let name = invocation.subjects[0]
        let line = "screentime \(kind.rawValue) edit \(name)"
        var options = RuleSpec(kind: kind)
        try common(&options, invocation)
        var edit = RuleEdit.Request(
            name: name,
            newName: invocation.value("--name"),
            weekendMs: options.weekendMs,
            overlap: options.overlap,
            days: options.days,
            except: options.except,
            then: options.then,
            warnMs: options.warnMs,
            say: options.say
        )
        if kind == .downtime { edit.opens = try only(invocation, line) }
        if invocation.has("--opens") { edit.opens = try opens(invocation, line) }
        if kind == .break { edit.durationMs = try invocation.duration("--after")?.ms }
        let rest = Array(invocation.subjects.dropFirst())
        guard let word = rest.first else { return edit }
        switch kind {
        case .limit, .goal:
            edit.durationMs = try duration(word, "\(line) 45m")
        case .break: edit.restMs = try duration(word, "\(line) 5m")
        case .downtime, .window: edit.window = try WindowText.window(word, line)
        case .allow, .session, .unknown:
            edit.targets = try SubjectReader.items(rest, after: line)
        }
        return edit
    }

    private static func common(_ spec: inout RuleSpec, _ invocation: Invocation) throws {
        if let text = invocation.value("--on") { spec.days = try DayList.days(text) }
        if let text = invocation.value("--except") {
            let today = ZonedClock.here.day(invocation.now)
            spec.except = try ExceptionDays.read(text, today: today, "--except")
        }
        spec.then = try invocation.choice("--then", RuleConsequence.self)
        spec.overlap = try invocation.choice("--overlap", RuleOverlap.self)
        spec.say = invocation.value("--say")
        if let text = invocation.value("--warn") {
            // 0 removes the warning.
            spec.warnMs = text == "0" ? 0 : try duration(text, "--warn 5m")
        }
        if let text = invocation.value("--weekend") {
            spec.weekendMs = text == "0" ? 0 : try duration(text, "--weekend 2h")
        }
    }

    /// Splits off the last word, a time or a part of the day. If it is elsewhere, the advice moves it to the end.
    static func split<Value>(
        _ words: [String],
        line: String,
        read: (String) -> Value?
    ) throws(Problem) -> (subjects: [String], value: Value) {
        let last = words[words.count - 1]
        if let value = read(last) { return (Array(words.dropLast()), value) }
        let isWindow = Value.self == RuleWindow.self
        let what =
            isWindow
            ? Message("rule.a-part-of-the-day", "a time range such as 17:00-20:00")
            : Message("rule.a-time-such-as", "a duration such as 30m or 1h30m")
        if let place = words.firstIndex(where: { read($0) != nil }) {
            var meant = words
            meant.append(meant.remove(at: place))
            throw Problem(
                "usage.bad_order",
                "Put the apps, sites and categories first, and \(what, "what") at the end.",
                help: "\(line) \(meant.joined(separator: " "))"
            )
        }
        let typed = DurationArgument.read(words)
        let subjects = typed?.subjects ?? words
        let meant =
            (subjects.isEmpty ? ["firefox"] : subjects) + [isWindow ? "17:00-20:00" : typed?.time ?? "30m"]
        throw Problem(
            isWindow ? "usage.bad_window" : "usage.bad_duration",
            "The last argument is “\(last, "word")”, but it must be \(what, "what").",
            key: "usage.bad_order.is-at-the-end",
            help: "\(line) \(meant.joined(separator: " "))"
        )
    }

    private static func duration(_ text: String, _ help: String) throws(Problem) -> Int64 {
        guard let ms = TextFormat.durationMs(text) else {
            throw Problem(
                "usage.bad_duration",
                "“\(text, "text")” is not a duration. Write it as 45s, 30m or 1h30m.",
                key: "usage.bad_duration.is-not-a",
                help: help
            )
        }
        return ms
    }

    private static func opens(_ invocation: Invocation, _ line: String) throws(Problem) -> [TokenItem] {
        guard let text = invocation.value("--opens") else {
            throw Problem(
                "usage.option_missing",
                "Add --opens to name the apps, categories or sites that this goal opens.",
                key: "usage.option_missing.say-with-opens",
                help: "screentime goal add code 2h --opens category:games"
            )
        }
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let items = try SubjectReader.items(words, after: "\(line) --opens")
        try refuseEverything(items, line: "\(line) --opens")
        return items
    }

    /// Returns the items that stay open during downtime. `0` removes all of them.
    private static func only(_ invocation: Invocation, _ line: String) throws(Problem) -> [TokenItem]? {
        guard let text = invocation.value("--only") else { return nil }
        guard text != "0" else { return [] }
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let items = try SubjectReader.items(words, after: "\(line) --only")
        try refuseEverything(items, line: "\(line) --only")
        return items
    }

    private static func refuseEverything(_ items: [TokenItem], line: String, end: String? = nil)
        throws(Problem)
    {
        guard items.isEmpty else { return }
        throw Problem(
            "usage.bad_subject",
            "Only a limit can apply to everything. Name an app, a category or a site.",
            key: "usage.bad_subject.only-a-limit",
            help: "\(line) firefox" + (end.map { " " + $0 } ?? "")
        )
    }
}

/// Corrects a time that is nearly valid, for example `1hour`, `90 minutes` or a bare number.
private enum DurationArgument {
    private static let units = [
        "h": ["h", "hr", "hrs", "hour", "hours"], "m": ["", "m", "min", "mins", "minute", "minutes"],
        "s": ["s", "sec", "secs", "second", "seconds"],
    ]

    static func read(_ words: [String]) -> (subjects: [String], time: String)? {
        for count in 1...2 where words.count >= count {
            let text = words.suffix(count).joined().lowercased()
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            let name = String(text.dropFirst(digits.count))
            guard !digits.isEmpty, let unit = units.first(where: { $0.value.contains(name) })?.key else {
                continue
            }
            let isAllowed = TextFormat.durationMs(digits + unit).map { (1000...86_400_000).contains($0) }
            return (Array(words.dropLast(count)), isAllowed == true ? digits + unit : "30m")
        }
        // A number after a name is an invalid time.
        let isNumber = words.count > 1 && words.last?.first?.isNumber == true
        return isNumber ? (Array(words.dropLast()), "30m") : nil
    }
}

/// Parses and formats days of the week: `mon-fri`, `sat,sun`, `sun-thu`.
package enum DayList {
    private static let short = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    private static let long = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    private static let words: [String: [Int]] = [
        "daily": Array(1...7), "weekdays": [2, 3, 4, 5, 6], "weekends": [1, 7], "weekend": [1, 7],
    ]

    /// Returns the days in ascending order. 1 is Sunday.
    package static func days(_ text: String) throws(Problem) -> [Int] {
        var days: Set<Int> = []
        for part in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
            if let known = words[String(part)] {
                days.formUnion(known)
                continue
            }
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { day(String($0)) }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else {
                throw Problem(
                    "usage.bad_days",
                    "--on is “\(text, "text")”; it must be days such as mon-fri, sat,sun or sun-thu.",
                    help: "--on mon-fri"
                )
            }
            // A range may continue past the end of the week.
            let length = (last - first + 7) % 7
            days.formUnion((0...length).map { (first - 1 + $0) % 7 + 1 })
        }
        return days.sorted()
    }

    /// Returns `every day`, `on Mon to Fri` or `on Mon, Wed`.
    package static func text(_ days: [Int]?) -> String {
        guard let days, !days.isEmpty, days.count < 7 else {
            return Speech.say("rule.every-day", "every day")
        }
        // The list begins with Monday, as people say it.
        let order = [2, 3, 4, 5, 6, 7, 1]
        let chosen = order.filter(days.contains)
        let name = { CalendarNames.shortDay($0, in: Speech.language) }
        guard chosen.count > 2, let run = run(of: Set(days), order), let first = run.first,
            let last = run.last
        else {
            let names = chosen.map(name).joined(separator: ", ")
            return Speech.say("rule.on-days", "on \(names, "days")")
        }
        return Speech.say("rule.on-days-from-to", "on \(name(first), "first") to \(name(last), "last")")
    }

    /// Returns the days in order if they are consecutive. The end of the week does not interrupt them.
    private static func run(of days: Set<Int>, _ order: [Int]) -> [Int]? {
        for start in order where days.contains(start) && !days.contains((start + 5) % 7 + 1) {
            let run = (0..<days.count).map { (start - 1 + $0) % 7 + 1 }
            return run.allSatisfy(days.contains) ? run : nil
        }
        return nil
    }

    private static func day(_ text: String) -> Int? {
        (short.firstIndex(of: text) ?? long.firstIndex(of: text)).map { $0 + 1 }
    }
}

/// Parses a part of the day, for example `17:00-20:00`.
package enum WindowText {
    package static func window(_ text: String, _ line: String) throws(Problem) -> RuleWindow {
        guard let window = read(text) else {
            throw Problem(
                "usage.bad_window",
                "“\(text, "text")” is not a time range. Write it as 21:30-07:00.",
                help: "\(line) 21:30-07:00"
            )
        }
        return window
    }

    /// Parses also `9-17`, `9:00-17:30`, and the longer dash that phones insert.
    package static func read(_ text: String) -> RuleWindow? {
        let ends = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "–" }.map {
            time(String($0))
        }
        guard ends.count == 2, let from = ends[0], let to = ends[1] else { return nil }
        return RuleWindow(from: from, to: to)
    }

    private static func time(_ text: String) -> String? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(parts.count), parts.allSatisfy({ (1...2).contains($0.utf8.count) }),
            parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts.count == 2 ? parts[1] : "0"),
            hour < 24 && minute < 60 || hour == 24 && minute == 0
        else { return nil }
        return two(hour) + ":" + two(minute)
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
