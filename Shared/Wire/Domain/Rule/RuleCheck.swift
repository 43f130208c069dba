package import STContracts
import STPlatform

/// Checks a rule and completes it: sorts its lists, and sets its member and consequence.
package enum RuleCheck {
    package static let nameBytesMax = 64
    /// Apple's limit for the tokens in one setting.
    package static let targetsMax = 50
    package static let messageBytesMax = 500
    static let exceptMax = 200
    package static let dayMs: Int64 = 86_400_000
    static let restMsMax: Int64 = 4 * 3_600_000
    /// Upper bound on the delay of a change that loosens a rule.
    package static let delayMsMax = 7 * dayMs

    package static func checked(_ spec: RuleSpec, for member: Member) throws -> RuleSpec {
        let kind = try spec.kind.required("/kind")
        try checkFields(spec)
        var checked = spec
        checked.member = member.name
        checked.name = try spec.name.map { try name($0, "/name") }
        checked.targets = try targets(spec.targets, "/targets")
        checked.opens = try spec.opens.map { try targets($0, "/opens") }
        if kind == .downtime, checked.opens?.isEmpty == true { checked.opens = nil }
        checked.days = try spec.days.flatMap { try days($0) }
        checked.except = try spec.except.flatMap { try dates($0) }
        checked.then =
            try spec.then?.required("/then") ?? (kind == .session ? .shield : fallback(for: member))
        checked.warnMs = spec.warnMs == 0 ? nil : spec.warnMs
        checked.overlap = try spec.overlap?.required("/overlap") == .once ? .once : nil
        checked.weekendMs = [0, spec.durationMs].contains(spec.weekendMs) ? nil : spec.weekendMs
        checked.say = try spec.say.flatMap { try checkedMessage($0, kind) }
        try checkRequired(checked)
        return checked
    }

    /// The default consequence: a shield for a child, a notification for an adult.
    private static func fallback(for member: Member) -> RuleConsequence {
        member.role == .child ? .shield : .notify
    }

    /// Rejects fields that have no effect for the kind, instead of ignoring them.
    private static func checkFields(_ spec: RuleSpec) throws(Problem) {
        let given: [(field: String, isGiven: Bool, kinds: Set<RuleKind>)] = [
            ("targets", !spec.targets.isEmpty, [.limit, .window, .goal, .allow, .session]),
            ("duration_ms", spec.durationMs != nil, [.limit, .goal, .session, .break]),
            ("rest_ms", spec.restMs != nil, [.break]),
            ("overlap", spec.overlap != nil, [.limit, .goal]),
            ("weekend_ms", (spec.weekendMs ?? 0) != 0, [.limit, .goal]),
            ("window", spec.window != nil, [.downtime, .window]),
            ("opens", spec.opens != nil, [.goal, .downtime]),
            ("days", !(spec.days ?? []).isEmpty, [.limit, .downtime, .window, .goal, .break]),
            ("except", !(spec.except ?? []).isEmpty, [.limit, .downtime, .window, .goal, .break]),
            ("then", spec.then != nil, [.limit, .downtime, .window, .goal, .session, .break]),
            ("warn_ms", (spec.warnMs ?? 0) != 0, [.limit, .downtime, .window, .goal, .break]),
            ("say", !(spec.say ?? "").isEmpty, [.limit, .downtime, .window, .goal, .session, .break]),
        ]
        for (field, isGiven, kinds) in given where isGiven && !kinds.contains(spec.kind) {
            throw Problem(
                "rule.field_unused",
                "A rule of the kind \(spec.kind.label, "kind") has no \(field, "field").",
                field: "/\(field)"
            )
        }
    }

    private static func checkRequired(_ spec: RuleSpec) throws(Problem) {
        let hasTargets = !spec.targets.isEmpty
        switch spec.kind {
        case .limit: try duration(spec)
        case .goal:
            try duration(spec)
            guard hasTargets else { throw noTargets("/targets") }
            guard let opens = spec.opens, !opens.isEmpty else { throw noTargets("/opens") }
        case .window:
            try window(spec)
            guard hasTargets else { throw noTargets("/targets") }
        case .downtime:
            try window(spec)
            try exceptions(spec.opens ?? [], "/opens")
        case .session: try session(spec)
        case .break:
            try duration(spec)
            guard try duration(spec.restMs, "/rest_ms") <= restMsMax else {
                throw Problem(
                    "rule.bad_duration",
                    "A break must be at most \(MessageValue.duration(ms: restMsMax), "most").",
                    field: "/rest_ms"
                )
            }
        case .allow, .unknown: guard hasTargets else { throw noTargets("/targets") }
        }
    }

    private static func session(_ spec: RuleSpec) throws(Problem) {
        try duration(spec)
        guard spec.then == .shield else {
            throw Problem(
                "rule.bad_consequence",
                "A focus session shields everything else, so leave out `then`.",
                field: "/then"
            )
        }
        try exceptions(spec.targets, "/targets")
    }

    /// Checks the exceptions of a rule that shields everything else.
    private static func exceptions(_ items: [TokenItem], _ field: String) throws(Problem) {
        guard items.allSatisfy({ $0.kind != .category }) else {
            throw Problem(
                "rule.bad_targets",
                "Apps and sites can stay open, but categories cannot. Name the apps.",
                field: field
            )
        }
    }

    private static func noTargets(_ field: String) -> Problem {
        Problem(
            "rule.bad_targets",
            "Name at least one app, category or site.",
            key: "rule.bad_targets.name-at-least",
            field: field
        )
    }

    private static func duration(_ spec: RuleSpec) throws(Problem) {
        let ms = try duration(spec.durationMs, "/duration_ms")
        guard let weekendMs = spec.weekendMs else { return try warning(spec, below: ms) }
        guard !spec.weekdays.isDisjoint(with: RuleSpec.weekend), !spec.weekdays.isSubset(of: RuleSpec.weekend)
        else {
            throw Problem(
                "rule.bad_weekend",
                """
                A different time at weekends requires a rule that applies on at least one day from Monday to \
                Friday, and on Saturday or Sunday.
                """,
                field: "/weekend_ms"
            )
        }
        try warning(spec, below: min(ms, duration(weekendMs, "/weekend_ms")))
    }

    private static func duration(_ ms: Int64?, _ field: String) throws(Problem) -> Int64 {
        guard let ms, ms >= 1000, ms <= dayMs, ms % 1000 == 0 else {
            throw Problem(
                "rule.bad_duration",
                "The time must be from 1 s to 24 h, in whole seconds.",
                key: "rule.bad_duration.the-time-is",
                field: field
            )
        }
        return ms
    }

    private static func warning(_ spec: RuleSpec, below limitMs: Int64) throws(Problem) {
        guard let warnMs = spec.warnMs else { return }
        guard warnMs >= 1000, warnMs < limitMs, warnMs % 1000 == 0 else {
            throw Problem(
                "rule.bad_warning",
                """
                The warning time must be at least 1 s, in whole seconds, and less than the whole time, which \
                is \(MessageValue.duration(ms: limitMs), "limit").
                """,
                field: "/warn_ms"
            )
        }
    }

    private static func window(_ spec: RuleSpec) throws(Problem) {
        guard let window = spec.window, let from = ClockTime(window.from), let to = ClockTime(window.to),
            from != to || (spec.kind == .downtime && window.from == "00:00")
        else {
            throw Problem(
                "rule.bad_window",
                "Give two different times of the day, such as 21:30 to 07:00.",
                field: "/window"
            )
        }
        // From midnight to midnight is a whole day.
        let minutes = to.minutes > from.minutes ? to.minutes - from.minutes : to.minutes + 1440 - from.minutes
        try warning(spec, below: Int64(minutes) * 60_000)
    }

    static func name(_ text: String, _ field: String) throws(Problem) -> String {
        guard let first = text.first, let last = text.last, !first.isWhitespace, !last.isWhitespace,
            first != "-", text.utf8.count <= nameBytesMax, text.isPlain,
            !text.utf8.contains(UInt8(ascii: "/"))
        else {
            throw Problem(
                "rule.bad_name",
                """
                A rule's name must have 1 to \(nameBytesMax, "bytes") bytes, without slashes or control \
                characters. It must not begin with a dash, or begin or end with a space.
                """,
                field: field
            )
        }
        return text
    }

    private static func days(_ days: [Int]) throws(Problem) -> [Int]? {
        guard days.allSatisfy({ (1...7).contains($0) }) else {
            throw Problem(
                "rule.bad_days",
                "Days must be numbers from 1 (Sunday) to 7 (Saturday).",
                field: "/days"
            )
        }
        let sorted = Set(days).sorted()
        return sorted.isEmpty || sorted.count == 7 ? nil : sorted
    }

    private static func dates(_ texts: [String]) throws(Problem) -> [String]? {
        let dates = Set(texts)
        guard dates.count <= exceptMax, dates.allSatisfy({ CivilDate(text: $0) != nil }) else {
            throw Problem(
                "rule.bad_dates",
                "Give at most \(exceptMax, "most") exceptions, as dates such as 2026-12-25.",
                field: "/except"
            )
        }
        return dates.isEmpty ? nil : dates.sorted()
    }

    private static func checkedMessage(_ text: String, _ kind: RuleKind) throws(Problem) -> String? {
        guard !text.isEmpty else { return nil }
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.properties.generalCategory != .control || $0 == "\n"
        }
        guard text.utf8.count <= messageBytesMax, isPlain else {
            throw Problem(
                "rule.bad_words",
                """
                Your own words must have at most \(messageBytesMax, "bytes") bytes, and no control characters \
                except line breaks.
                """,
                field: "/say"
            )
        }
        let known = RulePlaceholder.all(of: kind).map { "{\($0.rawValue)}" }
        if let unknown = RulePlaceholder.placeholders(text).first(where: { !known.contains($0) }) {
            let list = known.joined(separator: ", ")
            throw Problem(
                "rule.bad_words",
                """
                \(unknown, "word") is not a placeholder for a rule of the kind \(kind.label, "kind"). \
                Placeholders: \(list, "known").
                """,
                key: "rule.bad_words.is-not-a",
                field: "/say"
            )
        }
        return text
    }

    private static func targets(_ items: [TokenItem], _ field: String) throws -> [TokenItem] {
        guard items.count <= targetsMax else {
            throw Problem(
                "rule.bad_targets",
                "A rule can name at most \(targetsMax, "most") apps, categories and sites.",
                key: "rule.bad_targets.a-rule-names",
                field: field
            )
        }
        return try ItemCheck.checked(items, field, code: "rule.bad_targets")
    }
}

/// The placeholders that a person's own text may contain in braces.
enum RulePlaceholder: String {
    case app, used, left, limit

    static func all(of kind: RuleKind) -> [RulePlaceholder] {
        switch kind {
        case .limit, .goal: [.app, .used, .left, .limit]
        case .downtime: [.left, .limit]
        case .break: [.used, .limit]
        case .window: [.app, .limit]
        case .session: [.left]
        case .allow, .unknown: []
        }
    }

    static func placeholders(_ text: String) -> [String] {
        var found: [String] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            found.append(String(rest[open...close]))
            rest = rest[rest.index(after: close)...]
        }
        return found
    }
}
