package import STContracts
import STDomain
import STPlatform
import STSimulator

/// The JSON Schema of a scenario, for editors and for `screentime simulate --schema`.
package enum ScenarioSchema {
    package static var value: JSONValue {
        .object([
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "A scenario for screentime simulate",
            "type": "object",
            "required": ["name", "zone", "start"],
            "properties": .object(properties),
            "additionalProperties": false,
            "patternProperties": comments,
            "$defs": .object(definitions),
        ])
    }

    /// The members for editors and for comments.
    static let comments: JSONValue = ["^(\\$|//)": [:]]

    private static var properties: [String: JSONValue] {
        [
            "name": text("What this is about, in a few words."),
            "about": text("More about it."),
            "zone": reference("zone", "The time zone of the device at the start."),
            "start": reference("moment", "When it begins, such as 2026-10-24 07:00."),
            "end": reference("civil", "When it ends; with the last step if absent."),
            "owner": text("What the owner of the account is called here; me if absent."),
            "members": list(reference("member"), "The others of the household."),
            "categories": [
                "type": "object",
                "description":
                    "Apps, and sites as site:example.org, that belong somewhere else than our list says.",
                "additionalProperties": .object(["enum": strings(Category.allCases.map(\.rawValue))]),
            ],
            "apps": list(reference("app"), "App bundles to be installed."),
            "rules": list(reference("rule"), "Built-in rules."),
            "activities": list(reference("activity"), "What is watched beside rules."),
            "steps": list(reference("step"), "What happens, in order."),
            "expect": list(reference("expectation"), "What must come of it."),
        ]
    }

    static var definitions: [String: JSONValue] {
        var all = texts
        all["member"] = object(
            ["name": text("A short name."), "role": .object(["enum": strings(MemberRole.known)])],
            required: ["name", "role"]
        )
        all["app"] = object(
            [
                "bundle": text("The folder with manifest.json, from the scenario's own folder."),
                "programs": text("Where executables are looked for that are not in the bundle."),
                "permitted_by": texts("Who lets it do what it asks for; the owner if absent."),
                "defaults": .object([
                    "type": "object",
                    "additionalProperties": [
                        "type": "object",
                        "additionalProperties": [
                            "anyOf": .array(
                                ["string", "number", "boolean", "array", "object"].map {
                                    ["type": .string($0)]
                                }
                            )
                        ],
                    ],
                    "description": .string(
                        "What the app itself left in the defaults of its groups, by group and key. "
                            + ScenarioDefaults.expectation.english
                    ),
                ]),
            ],
            required: ["bundle"]
        )
        all["rule"] = rule
        all["activity"] = activity
        all["event"] = object(
            [
                "name": text("Its name."),
                "of": texts("Of what: firefox, site:example.org, category:games; of everything if absent."),
                "after": reference("duration", "After how much use."),
                "includes_past": flag("Whether use counts from before the watching began."),
            ],
            required: ["name", "after"]
        )
        all["step"] = ScenarioStepSchema.step
        all["expectation"] = ScenarioStepSchema.expectation
        return all
    }

    private static var texts: [String: JSONValue] {
        [
            "zone": ["type": "string", "examples": ["Europe/Berlin", "Asia/Seoul", "UTC"]],
            "duration": [
                "type": "string",
                "pattern": "^([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?$",
                "minLength": 2,
                "examples": ["25m", "1h30m", "90s", "250ms"],
            ],
            "moment": [
                "type": "string",
                "pattern":
                    "^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{3})?)?(Z| ?[+-][0-9]{2}:[0-9]{2})?$",
                "examples": ["2026-10-25 02:30", "2026-10-25T02:30:00.500+01:00"],
            ],
            "time_of_day": [
                "type": "string",
                "pattern": "^[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{3})?)?$",
                "examples": ["07:00"],
            ],
            "civil": ["anyOf": [reference("moment"), reference("time_of_day")]],
            "days": [
                "type": "string",
                "pattern": "^(daily|(sun|mon|tue|wed|thu|fri|sat)([,-](sun|mon|tue|wed|thu|fri|sat))*)$",
                "examples": ["mon-fri", "sat,sun"],
            ],
        ]
    }

    private static var rule: JSONValue {
        var value = object([
            "limit": texts("At most so much use of these a day."),
            "downtime": part("Without the computer, such as 21:30-07:00."),
            "window": texts("Used only between these times."),
            "goal": texts("So much use of these opens others."),
            "break": reference("duration", "So long a rest after so much use without one."),
            "after": reference("duration", "How much use comes before a break."),
            "allow": texts("Never in the way of these."),
            "name": text("Its name; made of what it is about if absent."),
            "member": text("For whom; the owner if absent."),
            "of": reference("duration", "How much a day, of a limit or a goal."),
            "except": texts("Dates such as 2026-12-25 on which it does not hold."),
            "weekend": reference("duration", "How much on Saturdays and Sundays, where that differs."),
            "between": part("When, of a window."),
            "opens": texts("What a goal opens."),
            "on": reference("days", "On which days; every day if absent."),
            "warn": reference("duration", "How long before the moment it warns."),
            "say": text("The person's own words."),
            "then": .object([
                "enum": strings(RuleConsequence.known),
                "description": "What follows: a shield for a child, only words for others, if absent.",
            ]),
        ])
        value = merged(value, one(of: ["limit", "downtime", "window", "goal", "break", "allow"]))
        return value
    }

    private static var activity: JSONValue {
        object(
            [
                "name": text("Its name."),
                "app": text("The app that it belongs to; if absent, no extension is called."),
                "member": text("Whose use counts; the owner's if absent."),
                "from": reference(
                    "civil",
                    "When an interval begins: a time of day, or a day and a time for once."
                ),
                "to": reference("civil", "When it ends."),
                "repeats": flag("Whether there is another one after it; true if absent."),
                "on": reference("days", "On which days an interval may begin."),
                "warning": reference("duration", "How long before things their warnings come."),
                "mode": .object(["enum": strings(ScheduleMode.known)]),
                "events": list(reference("event"), "Thresholds."),
            ],
            required: ["name", "from", "to"]
        )
    }

    // MARK: - Parts

    static func text(_ description: JSONValue) -> JSONValue {
        ["type": "string", "minLength": 1, "description": description]
    }

    static func flag(_ description: JSONValue) -> JSONValue {
        ["type": "boolean", "description": description]
    }

    static func part(_ description: JSONValue) -> JSONValue {
        [
            "type": "string",
            "pattern": "^[0-9]{2}:[0-9]{2}(:[0-9]{2})?-[0-9]{2}:[0-9]{2}(:[0-9]{2})?$",
            "description": description,
        ]
    }

    static func reference(_ name: String, _ description: JSONValue? = nil) -> JSONValue {
        var members: [String: JSONValue] = ["$ref": .string("#/$defs/\(name)")]
        members["description"] = description
        return .object(members)
    }

    static func list(_ items: JSONValue, _ description: JSONValue) -> JSONValue {
        ["type": "array", "items": items, "description": description]
    }

    /// Returns the schema of one text, or of a list of texts.
    static func texts(_ description: JSONValue) -> JSONValue {
        [
            "description": description,
            "anyOf": [
                ["type": "string", "minLength": 1],
                ["type": "array", "items": ["type": "string", "minLength": 1]],
            ],
        ]
    }

    static func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

    static func object(_ properties: [String: JSONValue], required: [String] = []) -> JSONValue {
        [
            "type": "object",
            "properties": .object(properties),
            "required": strings(required),
            "additionalProperties": false,
            "patternProperties": comments,
        ]
    }

    /// Returns a schema that requires exactly one of the names.
    static func one(of names: [String]) -> JSONValue {
        ["oneOf": .array(names.map { ["required": [.string($0)]] })]
    }

    static func merged(_ one: JSONValue, _ other: JSONValue) -> JSONValue {
        guard case .object(let members) = one, case .object(let others) = other else { return one }
        return .object(members.merging(others) { $1 })
    }
}

/// The schema of steps and expectations.
enum ScenarioStepSchema {
    private typealias S = ScenarioSchema

    static var step: JSONValue {
        let actions: [String: JSONValue] = [
            "use": S.text("The app in front, for as long as `for` says."),
            "idle": S.reference("duration", "The member is there and touches nothing."),
            "lock": S.reference("duration", "The screen is locked."),
            "away": S.reference("duration", "The member is away."),
            "blind": S.reference("duration", "The desktop's agent is dead, and sees nothing."),
            "sleep": S.reference("duration", "The device sleeps."),
            "set_clock": [
                "type": "string", "minLength": 1,
                "description": "The machine's clock is set: by +1h or -30m, or to 2026-10-25 09:00.",
            ],
            "zone": S.reference("zone", "The device is in another zone from now on."),
            "kill": [
                "type": "string",
                "description": "A service, or extension for those that run: it dies at once.",
            ],
            "rule": S.reference("rule", "Adds a rule."),
            "pause": S.text("Silences a rule for as long as `for` says."),
            "remove": S.text("Removes a rule."),
            "start": S.reference("activity", "Starts watching."),
            "stop": S.text("Stops watching this activity."),
            "permit": S.text("A member lets an app do what it asks for."),
            "revoke": S.text("A member takes that back."),
            "run": S.texts("Runs an app's own command with these words."),
            "notify": S.text("This app puts a notification before a member, or `times` of them."),
            "press": .object([
                "enum": S.strings(ShieldButton.known),
                "description": "A button of the shield in front of them.",
            ]),
            "request": S.texts("Asks for more time with these, for as long as `for` says."),
            "approve": S.text("A member grants what this one asked for last; `for` makes it less."),
            "days": [
                "type": "integer", "minimum": 1, "maximum": 400,
                "description": "Repeats `steps` on so many days in a row.",
            ],
        ]
        var properties = actions
        properties["at"] = S.reference("civil", "When, in true time; with the step before if absent.")
        properties["after"] = S.reference("duration", "So much later than the step before is over.")
        properties["member"] = S.text("Who; the owner if absent.")
        properties["site"] = S.text("The site open in the app.")
        properties["film"] = S.flag(
            "A film, a call or something that fills the screen: no moment for a break."
        )
        properties["for"] = S.reference("duration", "For how long.")
        properties["synchronised"] = S.flag(
            "A server of time sets the clock, and is believed; a person is not."
        )
        properties["if_there"] = S.flag("Without a shield in front, nothing is pressed and nothing is wrong.")
        properties["told"] = S.flag("Whether the system says that it is going to sleep; true if absent.")
        properties["app"] = S.text("Whose activity is meant.")
        properties["times"] = [
            "type": "integer", "minimum": 1,
            "maximum": .integer(UsageObserve.notificationCounts.upperBound),
            "description": "How many notifications; one if absent.",
        ]
        properties["on"] = S.reference("days", "On which of these days.")
        properties["steps"] = S.list(S.reference("step"), "What happens on each of these days.")
        properties["because"] = S.text("Why a member asks for more time.")
        properties["refused"] = S.text("The code with which it must be refused.")
        return S.merged(S.object(properties), S.one(of: actions.keys.sorted()))
    }

    static var expectation: JSONValue {
        let methods: JSONValue = .object(["enum": S.strings(ExpectationReader.methods)])
        let kinds: [String: JSONValue] = [
            "callback": S.merged(methods, ["description": "Such a callback comes."]),
            "no_callback": S.merged(methods, ["description": "No such callback comes."]),
            "notification": S.text("A notification comes that has this in its title or body."),
            "no_notification": S.text("No notification comes that has this in its title or body."),
            "used": S.reference("duration", "So much has counted towards an event."),
            "ledger": S.reference("duration", "So much is in the ledger."),
            "shielded": S.text("This is shielded: firefox, site:example.org, category:games."),
            "not_shielded": S.text("This is not shielded; with `by`: not by that store."),
            "shield_shown": S.text("A shield goes up in front of this."),
            "no_shield_shown": S.text("No shield goes up in front of this."),
            "store": S.text("A store holds `setting`, or is `empty`: worklog/gaming, or the name of a rule."),
        ]
        var properties = kinds
        properties["at"] = S.reference("moment", "The very moment, by the clock of the device.")
        properties["from"] = S.reference("moment", "Not before.")
        properties["to"] = S.reference("moment", "Not after.")
        properties["zone"] = S.reference("zone", "The zone of these moments; that of the start if absent.")
        properties["times"] = [
            "type": "integer", "minimum": 0, "description": "How often; at least once if absent.",
        ]
        properties["app"] = S.text("Of this app; of use: in this app.")
        properties["member"] = S.text("For this member.")
        properties["activity"] = S.text("Of this activity or rule.")
        properties["event"] = S.text("Of this event.")
        properties["site"] = S.text("On this site.")
        properties["presence"] = .object(["enum": S.strings(ExpectationReader.presences)])
        properties["by"] = S.text("By this store: worklog/gaming, or the name of a rule.")
        properties["setting"] = S.text("Such as shield.applicationCategories.")
        properties["empty"] = S.flag("Whether the store, or the setting in it, is empty.")
        return S.merged(S.object(properties), S.one(of: kinds.keys.sorted()))
    }
}

/// An example scenario, as printed by `screentime simulate --example`.
package enum ScenarioExample {
    package static let text = """
        {
          "name": "An evening limit",
          "about": "Half an hour of chess a day, with a word five minutes before.",
          "zone": "Europe/Berlin",
          "start": "2026-10-23 16:00",
          "rules": [
            { "limit": ["org.example.chess"], "of": "30m", "name": "chess", "warn": "5m", "say": "Enough for today." }
          ],
          "steps": [
            { "at": "17:00", "use": "org.example.chess", "for": "20m" },
            { "use": "firefox", "site": "news.example", "for": "10m" },
            { "use": "org.example.chess", "for": "15m" },
            { "lock": "1h" },
            { "sleep": "8h" }
          ],
          "expect": [
            { "callback": "eventWillReachThresholdWarning", "activity": "chess", "at": "2026-10-23 17:35" },
            { "callback": "eventDidReachThreshold", "activity": "chess", "at": "2026-10-23 17:40" },
            { "notification": "Enough for today.", "at": "2026-10-23 17:40" },
            { "ledger": "35m", "app": "org.example.chess" }
          ]
        }

        """
}
