import STContracts
import STPlatform

/// Parses the steps of a scenario.
struct StepReader {
    static let stepsMax = 20_000
    private static let actions = [
        "use", "idle", "lock", "away", "blind", "sleep", "set_clock", "zone", "kill", "rule", "pause",
        "remove",
        "start", "stop", "permit", "revoke", "run", "notify", "press", "request", "approve", "days",
    ]
    private static let programs = ServiceName.all.map(\.rawValue).filter {
        $0 != ServiceName.desktop.rawValue
    }
    private static let daysMax: Int64 = 400

    let people: ScenarioPeople
    let monitoringReader: MonitoringReader

    func step(_ value: JSONValue, _ path: String, isInside: Bool = false) throws -> ScenarioStep {
        let fields = try ScenarioFields(value, path: path, what: "A step")
        try fields.allow(
            Self.actions + [
                "at", "after", "member", "site", "film", "for", "told", "app", "on", "steps", "refused",
                "because", "times", "synchronised", "if_there",
            ]
        )
        let named = Self.actions.filter { fields.has($0) }
        guard named.count == 1, let word = named.first else {
            let list = (named.isEmpty ? Self.actions : named).joined(separator: ", ")
            throw Problem(
                "scenario.bad_step",
                text: named.isEmpty
                    ? Message(
                        "scenario.bad_step.says-what-happens",
                        "A step needs an action, which is one of \(list, "actions")."
                    )
                    : Message(
                        "scenario.bad_step.is-one-thing",
                        """
                        A step can have only one action, but this one has several: \(list, "actions"). Write \
                        a separate step for each.
                        """
                    ),
                field: path
            )
        }
        return ScenarioStep(
            time: try when(fields),
            member: try people.member(fields),
            action: try action(word, fields, isInside: isInside),
            refused: try fields.text("refused"),
            path: path
        )
    }

    private func when(_ fields: ScenarioFields) throws -> ScenarioStep.StepTime {
        guard !fields.has("at") || !fields.has("after") else {
            throw Problem(
                "scenario.bad_step",
                "A step can have a time (at) or a delay (after), but not both.",
                field: fields.pointer("after")
            )
        }
        if let civil = try fields.civilTime("at") { return .at(civil) }
        return try fields.duration("after").map { .after($0) } ?? .next
    }

    private func action(_ word: String, _ fields: ScenarioFields, isInside: Bool) throws
        -> ScenarioStep.Action
    {
        switch word {
        case "use": return .screen(try screen(fields))
        case "idle": return .screen(.init(presence: .idle, length: try time(fields, word)))
        case "lock": return .screen(.init(presence: .locked, length: try time(fields, word)))
        case "away": return .screen(.init(presence: .away, length: try time(fields, word)))
        case "blind": return .agentStopped(for: try time(fields, word))
        case "sleep":
            return .sleep(for: try time(fields, word), isTold: try fields.bool("told") ?? true)
        case "set_clock":
            return .setClock(
                try clockChange(fields),
                isSynchronised: try fields.bool("synchronised") ?? false
            )
        case "zone":
            let zone = try fields.text("zone") ?? ""
            _ = try ScenarioFields.zone(zone, fields.pointer("zone"))
            return .travel(zone: zone)
        case "kill": return .kill(program: try program(fields))
        case "days": return try repeated(fields, isInside: isInside)
        case "notify":
            let times = try fields.count("times", UsageObserve.notificationCounts) ?? 1
            return .notify(app: try fields.text("notify") ?? "", times: times)
        case "press": return try press(fields)
        case "request": return try moreTime(fields)
        case "approve": return try approval(fields)
        default: return try request(word, fields)
        }
    }

    /// Parses a request to the system.
    private func request(_ word: String, _ fields: ScenarioFields) throws -> ScenarioStep.Action {
        let text = word == "rule" || word == "start" || word == "run" ? "" : try fields.text(word) ?? ""
        switch word {
        case "rule":
            return .addRule(try monitoringReader.rule(fields.value("rule") ?? .null, fields.pointer("rule")))
        case "pause":
            return .pauseRule(name: text, for: try fields.requiredFor(try fields.duration("for")))
        case "remove": return .removeRule(name: text)
        case "start":
            return .start(
                try monitoringReader.activity(fields.value("start") ?? .null, fields.pointer("start"))
            )
        case "stop": return .stop(app: try fields.text("app"), activity: text)
        case "permit": return .permit(app: text)
        case "revoke": return .revoke(app: text)
        default:
            let words = try fields.texts("run")
            guard !words.isEmpty else {
                throw Problem(
                    "scenario.missing_field",
                    "`run` must name an app and its arguments, such as [\"promise\", \"start\"].",
                    key: "scenario.missing_field.run-is-the",
                    field: fields.pointer("run")
                )
            }
            return .run(words: words)
        }
    }

    private func screen(_ fields: ScenarioFields) throws -> ScenarioStep.ScreenState {
        let length = try fields.requiredFor(try fields.length("for"))
        let app = try fields.text("use") ?? ""
        guard !app.contains(":") else {
            throw Problem(
                "scenario.bad_subject",
                """
                The field `use` must name the foreground app. Write its site in the field `site`: {"use": \
                "firefox", "site": "example.org"}.
                """,
                key: "scenario.bad_subject.use-names-the",
                field: fields.pointer("use")
            )
        }
        return .init(
            presence: .active,
            app: app,
            site: try fields.text("site"),
            length: length,
            isBusy: try fields.bool("film") ?? false
        )
    }

    private func time(_ fields: ScenarioFields, _ name: String) throws -> Duration {
        try fields.length(name) ?? .zero
    }

    private func clockChange(_ fields: ScenarioFields) throws -> ScenarioStep.ClockChange {
        let text = try fields.text("set_clock") ?? ""
        let sign: Int64? = text.hasPrefix("+") ? 1 : text.hasPrefix("-") ? -1 : nil
        if let sign, let ms = TextFormat.durationMs(String(text.dropFirst())), ms > 0 {
            return .by(.milliseconds(sign * ms))
        }
        if sign == nil, let civil = CivilText(text) { return .to(civil) }
        throw Problem(
            "scenario.bad_time",
            "set_clock must be a change (+1h, -30m) or a new time (2026-10-25 09:00), not “\(text, "text")”.",
            key: "scenario.bad_time.set-clock-is",
            field: fields.pointer("set_clock")
        )
    }

    private func program(_ fields: ScenarioFields) throws -> String {
        let name = try fields.text("kill") ?? ""
        guard Self.programs.contains(name) || name == "extension" else {
            let list = Self.programs.joined(separator: ", ")
            throw Problem(
                "scenario.bad_value",
                """
                `kill` must be one of \(list, "programs"), or `extension` to end all running extensions. The \
                simulation replaces desktop-agent, so it cannot be killed. To stop its observations, use \
                `blind`.
                """,
                key: "scenario.bad_value.what-can-be-killed",
                field: fields.pointer("kill")
            )
        }
        return name
    }

    private func repeated(_ fields: ScenarioFields, isInside: Bool) throws -> ScenarioStep.Action {
        guard !isInside else {
            throw Problem(
                "scenario.bad_step",
                "A step with days cannot contain another step with days.",
                key: "scenario.bad_step.days-cannot-be",
                field: fields.pointer("days")
            )
        }
        let days = try fields.count("days", 1...Self.daysMax) ?? 1
        let steps = try fields.list("steps", limit: Self.stepsMax).map {
            try step($0, $1, isInside: true)
        }
        for step in steps {
            if case .at(.moment) = step.time {
                throw Problem(
                    "scenario.bad_time",
                    "A step that repeats on several days needs a time of day without a date, such as 08:00.",
                    key: "scenario.bad_time.what-is-done",
                    field: "\(step.path)/at"
                )
            }
        }
        return .repeated(days: days, on: try fields.days("on"), steps: steps)
    }

    // MARK: - Actions on a shield

    private func press(_ fields: ScenarioFields) throws -> ScenarioStep.Action {
        let text = try fields.text("press") ?? ""
        guard let button = ShieldButton(rawValue: text), button != .unknown else {
            let list = ShieldButton.known.joined(separator: ", ")
            throw Problem(
                "scenario.bad_value",
                "The buttons of a shield are \(list, "buttons").",
                key: "scenario.bad_value.the-buttons-of-a-shield",
                field: fields.pointer("press")
            )
        }
        return .press(button, ifThere: try fields.bool("if_there") ?? false)
    }

    private func moreTime(_ fields: ScenarioFields) throws -> ScenarioStep.Action {
        let length = try fields.requiredFor(try fields.length("for"))
        let items = try fields.subjects("request")
        return .request(items: items, for: length, because: try fields.text("because"))
    }

    private func approval(_ fields: ScenarioFields) throws -> ScenarioStep.Action {
        let whose = try fields.text("approve") ?? ""
        try people.check(member: whose, fields.pointer("approve"))
        return .approve(whose: whose, for: try fields.length("for"))
    }
}
