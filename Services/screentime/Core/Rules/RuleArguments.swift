import STContracts
import STPlatform

/// Turns what was typed after `limit add` and its like into a rule.
enum RuleArguments {
    static func spec(_ kind: RuleKind, _ invocation: Invocation) throws -> RuleSpec {
        let line = "screentime \(kind.rawValue) add"
        let chosen = try invocation.value("--selection").map { try PickFile.items($0) } ?? []
        var spec = RuleSpec(kind: kind)
        let words = invocation.subjects
        switch kind {
        case .limit, .goal:
            let parts = try split(words, line) { TextFormat.durationMs($0) }
            spec.durationMs = parts.value
            spec.targets = try targets(parts.subjects, chosen, line, words.last)
            if kind == .goal {
                try refuseEverything(spec.targets, line, words.last)
                spec.opens = try opens(invocation, "\(line) \(words.joined(separator: " "))")
            }
        case .downtime: spec.window = try WindowText.window(words[0], line)
        case .window:
            let parts = try split(words, line) { WindowText.read($0) }
            spec.window = parts.value
            spec.targets = try targets(parts.subjects, chosen, line, words.last)
            try refuseEverything(spec.targets, line, words.last)
        case .allow, .unknown:
            spec.targets = try targets(words, chosen, line, nil)
            try refuseEverything(spec.targets, line)
        }
        spec.name = invocation.value("--name")
        spec.member = invocation.value("--member")
        try common(&spec, invocation)
        warnByDefault(&spec)
        return spec
    }

    /// A limit that one sees coming: five minutes before its end, unless it is short or something else was said.
    ///
    /// Somebody's own words stand in the warning as well, so those are not said early without being asked for.
    private static func warnByDefault(_ spec: inout RuleSpec) {
        guard spec.kind == .limit, spec.warnMs == nil, spec.say == nil, let durationMs = spec.durationMs,
            durationMs >= warnedFromMs
        else { return }
        spec.warnMs = warningMs
    }

    private static let warnedFromMs: Int64 = 600_000
    private static let warningMs: Int64 = 300_000

    /// What was typed and what was chosen in a file; no word at all never means everything.
    private static func targets(
        _ words: [String],
        _ chosen: [TokenItem],
        _ line: String,
        _ end: String?
    ) throws(Problem) -> [TokenItem] {
        let typed = try SubjectReader.items(words, after: line, before: end)
        if words.isEmpty, chosen.isEmpty {
            throw Problem(
                "usage.subject_missing",
                "SUBJECT is missing: an app such as firefox, category:social or site:reddit.com.",
                help: "\(line) firefox" + (end.map { " " + $0 } ?? "")
            )
        }
        guard !words.isEmpty, typed.isEmpty, !chosen.isEmpty else {
            return typed + chosen.filter { !typed.contains($0) }
        }
        throw Problem(
            "usage.bad_subject",
            "“\(SubjectReader.everything)” stands alone: nothing can be chosen beside it.",
            help: "\(line) \(SubjectReader.everything)" + (end.map { " " + $0 } ?? "")
        )
    }

    /// What may be changed afterwards: everything but for whom it is.
    static func edit(_ kind: RuleKind, _ invocation: Invocation) throws(Problem) -> RuleEdit.Request {
        let name = invocation.subjects[0]
        let line = "screentime \(kind.rawValue) edit \(name)"
        var options = RuleSpec(kind: kind)
        try common(&options, invocation)
        var edit = RuleEdit.Request(
            name: name,
            newName: invocation.value("--name"),
            days: options.days,
            then: options.then,
            warnMs: options.warnMs,
            say: options.say
        )
        if invocation.has("--opens") { edit.opens = try opens(invocation, line) }
        let rest = Array(invocation.subjects.dropFirst())
        guard let word = rest.first else { return edit }
        switch kind {
        case .limit, .goal:
            edit.durationMs = try duration(word, "\(line) 45m")
        case .downtime, .window: edit.window = try WindowText.window(word, line)
        case .allow, .unknown:
            edit.targets = try SubjectReader.items(rest, after: line)
        }
        return edit
    }

    private static func common(_ spec: inout RuleSpec, _ invocation: Invocation) throws(Problem) {
        if let text = invocation.value("--on") { spec.days = try DayList.days(text) }
        spec.then = try invocation.choice("--then", RuleConsequence.self)
        spec.say = invocation.value("--say")
        if let text = invocation.value("--warn") {
            // Nothing takes the warning away again.
            spec.warnMs = text == "0" ? 0 : try duration(text, "--warn 5m")
        }
    }

    /// The time or part of the day comes last; one that comes elsewhere is put there in the advice.
    static func split<Value>(
        _ words: [String],
        _ line: String,
        _ read: (String) -> Value?
    ) throws(Problem) -> (subjects: [String], value: Value) {
        let last = words[words.count - 1]
        if let value = read(last) { return (Array(words.dropLast()), value) }
        let isWindow = Value.self == RuleWindow.self
        let what = isWindow ? "a part of the day such as 17:00-20:00" : "a time such as 30m or 1h30m"
        if let place = words.firstIndex(where: { read($0) != nil }) {
            var meant = words
            meant.append(meant.remove(at: place))
            throw Problem(
                "usage.bad_order",
                "What it is about comes first, and \(what) at the end.",
                help: "\(line) \(meant.joined(separator: " "))"
            )
        }
        let isNumber = Int(last) != nil
        let example = isWindow ? "17:00-20:00" : isNumber ? "\(last)m" : "30m"
        let meant = (isNumber ? Array(words.dropLast()) : words) + [example]
        throw Problem(
            isWindow ? "usage.bad_window" : "usage.bad_duration",
            "“\(last)” stands at the end, where \(what) is wanted.",
            help: "\(line) \(meant.joined(separator: " "))"
        )
    }

    private static func duration(_ text: String, _ help: String) throws(Problem) -> Int64 {
        guard let ms = TextFormat.durationMs(text) else {
            throw Problem(
                "usage.bad_duration",
                "“\(text)” is no length of time; write it as 45s, 30m or 1h30m.",
                help: help
            )
        }
        return ms
    }

    private static func opens(_ invocation: Invocation, _ line: String) throws(Problem) -> [TokenItem] {
        guard let text = invocation.value("--opens") else {
            throw Problem(
                "usage.option_missing",
                "A goal opens something: say what with --opens.",
                help: "screentime goal add code 2h --opens category:games"
            )
        }
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let items = try SubjectReader.items(words, after: "\(line) --opens")
        try refuseEverything(items, "\(line) --opens")
        return items
    }

    private static func refuseEverything(_ items: [TokenItem], _ line: String, _ end: String? = nil)
        throws(Problem)
    {
        guard items.isEmpty else { return }
        throw Problem(
            "usage.bad_subject",
            "Only a limit can be on everything; name an app, a category or a site here.",
            help: "\(line) firefox" + (end.map { " " + $0 } ?? "")
        )
    }
}
