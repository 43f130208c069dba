import STContracts
import STDomain
import STEngine
import STPlatform
import STRules

/// Adds, changes and pauses rules.
enum RuleEditing {
    /// Upper bound on the length of a pause. To suspend a rule for longer, remove it.
    static let pauseMsMax: Int64 = 31 * RuleCheck.dayMs

    /// `mayBeTwin`: true for a rule of the household, in which two machines may have changed two rules until both cover the same.
    static func add(
        _ spec: RuleSpec,
        for member: Member,
        _ context: RequestContext,
        to book: inout RuleState,
        mayBeTwin: Bool = false
    ) throws -> Rule {
        var checked = withoutPastDates(try RuleCheck.checked(spec, for: member), context)
        try checkAllowed(checked, except: nil, in: book)
        if !mayBeTwin { try refuseDuplicate(of: checked, except: nil, in: book) }
        if let name = checked.name, let other = book.find(name) { throw nameTaken(name, other) }
        guard book.rules.count < RuleState.rulesMax + (mayBeTwin ? RuleState.householdRoom : 0) else {
            throw Problem(
                "rule.too_many",
                "There are \(RuleState.rulesMax, "most") rules already, which is the limit. Remove one first."
            )
        }
        let name = checked.name ?? RuleNaming.name(for: checked, in: book)
        checked.name = name
        var rule = Rule(
            id: RuleNaming.id(for: name, in: book),
            spec: checked,
            added: context.now.wall
        )
        rule.begin(context.now, bootID: context.bootID, zone: context.zone)
        try checkPlan(rule, context, in: book, room: mayBeTwin ? RuleState.householdRoom : 0)
        book.rules[rule.id] = rule
        return rule
    }

    static func edit(_ edit: RuleEdit.Request, _ context: RequestContext, in book: inout RuleState) throws
        -> Rule
    {
        let rule = try existing(edit.name, in: book)
        return try replace(rule, by: wanted(edit, rule), context, in: &book)
    }

    /// Returns the specification that results from an edit. It is not checked yet.
    static func wanted(_ edit: RuleEdit.Request, _ rule: Rule) -> RuleSpec {
        var spec = rule.spec
        spec.name = edit.newName ?? spec.name
        spec.targets = edit.targets ?? spec.targets
        spec.durationMs = edit.durationMs ?? spec.durationMs
        spec.weekendMs = edit.weekendMs ?? spec.weekendMs
        spec.restMs = edit.restMs ?? spec.restMs
        spec.overlap = edit.overlap ?? spec.overlap
        spec.window = edit.window ?? spec.window
        spec.days = edit.days ?? spec.days
        spec.except = edit.except ?? spec.except
        spec.opens = edit.opens ?? spec.opens
        spec.then = edit.then ?? spec.then
        spec.warnMs = edit.warnMs ?? spec.warnMs
        spec.say = edit.say ?? spec.say
        // The old warning would be due before the shorter limit begins.
        if edit.warnMs == nil, let warnMs = spec.warnMs, let durationMs = spec.durationMs,
            warnMs >= min(durationMs, spec.weekendMs ?? durationMs)
        {
            spec.warnMs = nil
        }
        return spec
    }

    static func replace(
        _ rule: Rule,
        by wanted: RuleSpec,
        _ context: RequestContext,
        in book: inout RuleState,
        mayBeTwin: Bool = false
    ) throws -> Rule {
        guard rule.spec.kind != .session else {
            throw Problem(
                "rule.session_fixed",
                "A focus session cannot be changed. Remove \(rule.name, "name") and start another one.",
                field: "/name",
                help: "screentime rule remove \(rule.name)"
            )
        }
        var rule = rule
        var wanted = wanted
        // Every rule gets a consequence when it is added. An `allow` rule does not accept the field.
        if wanted.kind == .allow, wanted.then == rule.spec.then { wanted.then = nil }
        // The member never changes, and the consequence was set when the rule was added.
        let spec = withoutPastDates(
            try RuleCheck.checked(wanted, for: Member(name: rule.member, role: .individual)),
            context
        )
        try checkAllowed(spec, except: rule.id, in: book)
        if !mayBeTwin { try refuseDuplicate(of: spec, except: rule.id, in: book) }
        if let name = spec.name, let other = book.find(name), other.id != rule.id {
            throw nameTaken(name, other)
        }
        let old = rule.spec
        rule.spec = spec
        rule = RuleClosure.afterEdit(rule, from: old, now: context.now.wall, zone: context.zone)
        try checkPlan(rule, context, in: book, room: mayBeTwin ? RuleState.householdRoom : 0)
        book.rules[rule.id] = rule
        return rule
    }

    /// Returns the specification without past days of exception. An interval that began the day before may still be under way.
    private static func withoutPastDates(_ spec: RuleSpec, _ context: RequestContext) -> RuleSpec {
        var spec = spec
        let first = LocalDay(zone: context.zone).day(ofWallMs: context.now.wallMs).adding(days: -2).text
        spec.except = spec.except.map { $0.filter { $0 >= first } }.flatMap { $0.isEmpty ? nil : $0 }
        return spec
    }

    static func pause(_ request: RulePause.Request, _ context: RequestContext, in book: inout RuleState)
        throws
        -> Rule
    {
        var rule = try existing(request.name, in: book)
        guard (0...pauseMsMax).contains(request.forMs) else {
            throw Problem(
                "rule.bad_pause",
                """
                A rule can be paused for at most \(MessageValue.duration(ms: pauseMsMax), "most"). 0 ends \
                the pause. For longer, remove the rule.
                """,
                field: "/for_ms"
            )
        }
        rule.pause(for: .milliseconds(request.forMs), context.now, bootID: context.bootID)
        book.rules[rule.id] = rule
        return rule
    }

    static func existing(_ name: String, in book: RuleState) throws(Problem) -> Rule {
        if let rule = book.find(name) { return rule }
        throw Problem(
            "rule.not_found",
            text: similarName(to: name, in: book).map {
                Message(
                    "rule.not_found.rule-did-you-mean",
                    "There is no rule “\(name.prefix(64), "name")”. Did you mean \($0, "near")?"
                )
            }
                ?? Message("rule.not_found.rule", "There is no rule “\(name.prefix(64), "name")”."),
            field: "/name",
            help: "screentime rule list"
        )
    }

    private static func similarName(to name: String, in book: RuleState) -> String? {
        let names = book.sorted.map(\.name)
        // A limit on `firefox` can have the name `firefox-esr`.
        return TextFormat.closest(to: name, in: names) ?? names.first { $0.hasPrefix("\(name)-") }
    }

    /// Refuses items beyond the limit. One member's always-allowed items form one list.
    private static func checkAllowed(_ spec: RuleSpec, except id: String?, in book: RuleState) throws(Problem)
    {
        guard spec.kind == .allow else { return }
        let member = spec.member ?? ""
        var all = Set(spec.targets)
        for other in book.rules.values
        where other.id != id && other.spec.kind == .allow && other.spec.member == spec.member {
            all.formUnion(other.spec.targets)
            all.formUnion(other.waiting?.spec?.targets ?? [])
        }
        // The whole list is published as one event, in which some characters take two bytes.
        let bytes = JSONValue.array(all.map { .string($0.id) }).text.count
        guard bytes <= BuiltInRules.allowedBytesMax else {
            let most = TextFormat.bytes(Int64(BuiltInRules.allowedBytesMax))
            throw Problem(
                "rule.too_many_allowed",
                """
                The always-allowed list of \(member, "member") would be larger than \(most, "most"). Remove \
                items, or allow a category.
                """,
                key: "rule.too_many_allowed.the-always-allowed",
                field: "/targets",
                help: "screentime allow list"
            )
        }
        guard all.count > BuiltInRules.allowedMax else { return }
        throw Problem(
            "rule.too_many_allowed",
            """
            The always-allowed list of \(member, "member") would have \(all.count, "count") items, and the \
            limit is \(BuiltInRules.allowedMax, "most"). One category can replace many items.
            """,
            key: "rule.too_many_allowed.would-have-things",
            field: "/targets",
            help: "screentime allow list"
        )
    }

    /// Refuses a rule that equals another one. It would send every notice twice, and two windows for one app would contradict each
    /// other.
    private static func refuseDuplicate(of spec: RuleSpec, except id: String?, in book: RuleState)
        throws(Problem)
    {
        // Two equal sessions can exist, because one may end before the other.
        guard spec.kind != .session else { return }
        let twin = book.sorted.first { other in
            other.id != id && other.spec.kind == spec.kind && other.spec.member == spec.member
                && other.spec.days == spec.days && Set(other.spec.targets) == Set(spec.targets)
                && (spec.kind != .goal || Set(other.spec.opens ?? []) == Set(spec.opens ?? []))
                && (spec.kind != .downtime || other.spec.window == spec.window)
        }
        guard let twin else { return }
        // A change needs something that differs: the amount, or the hours of a window.
        let change: String? =
            switch spec.kind {
            case .limit, .goal, .break: spec.typedAmount == twin.spec.typedAmount ? nil : spec.typedAmount
            case .window: spec.window == twin.spec.window ? nil : spec.window.map { "\($0.from)-\($0.to)" }
            case .downtime, .allow, .session, .unknown: nil
            }
        let verb = change == nil ? "show" : "edit"
        throw Problem(
            "rule.exists",
            "There is already a rule for this: \(twin.name, "name"). Change that rule, or remove it first.",
            help: "screentime \(spec.kind.rawValue) \(verb) \(twin.name)" + (change.map { " " + $0 } ?? "")
        )
    }

    private static func nameTaken(_ name: String, _ other: Rule) -> Problem {
        Problem(
            "rule.exists",
            """
            There is already a rule called \(other.name, "name") (\(other.spec.kind.rawValue, "kind")). \
            Choose another name.
            """,
            key: "rule.exists.there-is-already",
            field: "/name"
        )
    }

    /// Refuses a rule whose activities cannot be watched.
    private static func checkPlan(
        _ rule: Rule,
        _ context: RequestContext,
        in book: RuleState,
        room: Int
    ) throws {
        let plan = RulePlan.activities(of: rule)
        for request in plan {
            do {
                _ = try request.schedule.check(
                    limits: ScheduleLimits(),
                    nowMs: context.now.wallMs,
                    zone: context.zone
                )
            } catch let problem as Problem {
                throw Problem(
                    problem.code,
                    text: problem.text,
                    field: "/window",
                    details: problem.details
                )
            }
        }
        let others = book.rules.values.filter { $0.id != rule.id }
        let count = others.reduce(plan.count) { $0 + RulePlan.activities(of: $1).count }
        guard plan.isEmpty || count <= RuleState.activitiesMax + room else {
            throw Problem(
                "rule.too_many",
                """
                All rules together would need \(count, "count") monitored activities, and the limit is \
                \(RuleState.activitiesMax, "most"). Remove a rule, or put several apps into one rule.
                """,
                key: "rule.too_many.all-rules-together",
                help: "screentime rule list"
            )
        }
    }
}

/// Derives names for unnamed rules, and ids that never change.
enum RuleNaming {
    /// Returns a name such as `firefox`, `downtime`, `social-window` or `code-goal`. A number is added if the name is taken.
    static func name(for spec: RuleSpec, in book: RuleState) -> String {
        let subject = spec.targets.first.map(RuleLabels.name)
        let base: String
        switch spec.kind {
        case .limit: base = subject ?? "everything"
        case .downtime: base = "downtime"
        case .window: base = "\(subject ?? "")-window"
        case .goal: base = "\(subject ?? "")-goal"
        case .break: base = "break"
        case .session: base = spec.targets.isEmpty ? "stop" : "focus"
        case .allow, .unknown: base = "\(subject ?? "")-allowed"
        }
        return free(plain(base)) { book.find($0) != nil }
    }

    /// Returns an unused id. The names of activities begin with it, so even the id of a renamed rule must not be reused.
    static func id(for name: String, in book: RuleState) -> String {
        free(name) { book.rules[$0] != nil }
    }

    /// Returns the text in a form that is easy to type: lower case, without blanks and slashes.
    private static func plain(_ text: String) -> String {
        let lower = text.lowercased().map { $0.isWhitespace || $0 == "/" ? "-" : $0 }.drop { $0 == "-" }
        var name = ""
        // Leave room for a number.
        for character in lower where name.utf8.count + character.utf8.count <= RuleCheck.nameBytesMax - 4 {
            name.append(character)
        }
        return name.isEmpty ? "rule" : name
    }

    private static func free(_ base: String, _ isTaken: (String) -> Bool) -> String {
        guard isTaken(base) else { return base }
        var stem = base[...]
        while stem.utf8.count > RuleCheck.nameBytesMax - 4 { stem = stem.dropLast() }
        // There are more numbers than rules of this machine (`rulesMax`), so one of them is free.
        let number = (2...(RuleState.rulesMax + 2)).first { !isTaken("\(stem)-\($0)") }
        return "\(stem)-\(number ?? 0)"
    }
}
