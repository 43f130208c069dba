import STContracts
import STDomain
import STPlatform

/// Parses rules and activities.
struct MonitoringReader {
    let people: ScenarioPeople

    private static let kinds = ["limit", "downtime", "window", "goal", "break", "allow"]

    func rule(_ value: JSONValue, _ path: String) throws -> ScenarioRule {
        let fields = try ScenarioFields(value, path: path, what: "A rule")
        try fields.allow(
            Self.kinds + [
                "name", "member", "of", "after", "between", "opens", "on", "except", "weekend", "warn", "say",
                "then",
            ]
        )
        let named = Self.kinds.filter { fields.has($0) }
        guard named.count == 1, let kind = named.first else {
            throw Problem(
                "scenario.bad_rule",
                """
                A rule is one of limit, downtime, window, goal, break and allow, such as {"limit": \
                ["firefox"], "of": "30m"}.
                """,
                field: path
            )
        }
        return ScenarioRule(
            kind: try ruleKind(kind, fields),
            name: try fields.text("name"),
            member: try people.member(fields),
            targets: ["downtime", "break"].contains(kind) ? [] : try fields.subjects(kind),
            days: try fields.days("on"),
            except: fields.has("except") ? try fields.texts("except") : nil,
            weekend: try fields.length("weekend"),
            warning: try fields.length("warn"),
            say: try fields.text("say"),
            then: try fields.enumValue("then", type: RuleConsequence.self, what: "What follows"),
            path: path
        )
    }

    private func ruleKind(_ kind: String, _ fields: ScenarioFields) throws -> ScenarioRule.Kind {
        switch kind {
        case "limit", "goal":
            guard let length = try fields.length("of") else {
                throw Problem(
                    "scenario.missing_field",
                    "The field `of` is missing. Set it to the time per day, such as \"of\": \"30m\".",
                    key: "scenario.missing_field.of-is-missing",
                    field: fields.pointer("of")
                )
            }
            return kind == "limit"
                ? .limit(of: length) : .goal(of: length, opens: try fields.subjects("opens"))
        case "break":
            guard let length = try fields.length(kind), let usage = try fields.length("after") else {
                throw Problem(
                    "scenario.missing_field",
                    """
                    The field `after` is missing. It contains the usage before the break, such as "after": \
                    "50m".
                    """,
                    key: "scenario.missing_field.after-is-missing",
                    field: fields.pointer("after")
                )
            }
            return .rest(of: length, after: usage)
        case "downtime":
            let (from, to) = try part(try fields.text("downtime") ?? "", fields.pointer("downtime"))
            return .downtime(from: from, to: to)
        case "window":
            let text = try fields.required("between", "Say when, such as 17:00-20:00.")
            let (from, to) = try part(text, fields.pointer("between"))
            return .window(from: from, to: to)
        default: return .allow
        }
    }

    /// Parses a part of the day, for example `21:30-07:00`.
    private func part(_ text: String, _ path: String) throws -> (from: String, to: String) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        let areTimes = ends.allSatisfy { end in
            if case .timeOfDay? = CivilText(end) { return true }
            return false
        }
        guard ends.count == 2, areTimes else {
            throw Problem(
                "scenario.bad_time",
                "Write an interval of the day as 21:30-07:00.",
                key: "scenario.bad_time.a-part-of",
                field: path
            )
        }
        return (ends[0], ends[1])
    }

    // MARK: - Activities

    func activity(_ value: JSONValue, _ path: String) throws -> ScenarioActivity {
        let fields = try ScenarioFields(value, path: path, what: "An activity")
        try fields.allow([
            "name", "app", "member", "from", "to", "repeats", "on", "warning", "mode", "events",
        ])
        let isRepeating = try fields.bool("repeats") ?? true
        let warning = try fields.length("warning").map(Self.fields)
        let schedule = Schedule(
            start: try end("from", of: fields),
            end: try end("to", of: fields),
            repeats: isRepeating,
            warning: warning,
            days: try fields.days("on")
        )
        return ScenarioActivity(
            name: try fields.required("name", "Name what is watched."),
            app: try fields.text("app"),
            member: try people.member(fields),
            schedule: schedule,
            events: try fields.list("events", limit: 100).map { try event($0, $1) },
            mode: try fields.enumValue("mode", type: ScheduleMode.self, what: "mode"),
            path: path
        )
    }

    /// Parses one end of a schedule: a time of day, or a date and time for a single interval.
    private func end(_ name: String, of fields: ScenarioFields) throws -> DateFields {
        _ = try fields.required(name, "Give a time of day such as 08:00, or a day and a time.")
        switch try fields.civilTime(name) {
        case .timeOfDay(let ms)?:
            return DateFields(
                hour: Int(ms / 3_600_000),
                minute: Int(ms / 60_000 % 60),
                second: Int(ms / 1000 % 60)
            )
        case .moment(let localMs, _)?:
            let text = RFC3339.text(wallMs: localMs)
            let numbers = text.split { "-T:.Z".contains($0) }.compactMap { Int($0) }
            return DateFields(
                year: numbers[0],
                month: numbers[1],
                day: numbers[2],
                hour: numbers[3],
                minute: numbers[4],
                second: numbers[5]
            )
        case nil: return DateFields()
        }
    }

    private func event(_ value: JSONValue, _ path: String) throws -> ActivityEventSpec {
        let fields = try ScenarioFields(value, path: path, what: "An event")
        try fields.allow(["name", "of", "after", "includes_past"])
        guard let threshold = try fields.length("after") else {
            throw Problem(
                "scenario.missing_field",
                """
                The field `after` is missing. It contains the usage that triggers the event, such as \
                "after": "30m".
                """,
                key: "scenario.missing_field.after-is-missing-after",
                field: fields.pointer("after")
            )
        }
        guard threshold.ms % 1000 == 0 else {
            throw Problem(
                "scenario.bad_duration",
                "A threshold must be a whole number of seconds.",
                key: "scenario.bad_duration.a-threshold-is",
                field: fields.pointer("after")
            )
        }
        return ActivityEventSpec(
            name: try fields.required("name", "Name the event."),
            targets: try fields.subjects("of").map { ActivityTarget(kind: $0.kind, id: $0.id) },
            threshold: Self.fields(threshold),
            includesPastActivity: try fields.bool("includes_past") ?? false
        )
    }

    private static func fields(_ length: Duration) -> DateFields {
        let ms = length.ms
        return DateFields(
            hour: Int(ms / 3_600_000),
            minute: Int(ms / 60_000 % 60),
            second: Int(ms / 1000 % 60)
        )
    }
}
