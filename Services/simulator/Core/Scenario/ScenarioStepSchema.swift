import STContracts

/// The schema of what happens and of what is expected.
enum ScenarioStepSchema {
    private typealias S = ScenarioSchema

    static var step: JSONValue {
        let actions: [String: JSONValue] = [
            "use": S.text("The app in front, for as long as `for` says."),
            "idle": S.reference("duration", "Somebody is there and touches nothing."),
            "lock": S.reference("duration", "The screen is locked."),
            "away": S.reference("duration", "Nobody is there."),
            "blind": S.reference("duration", "The desktop's agent is dead, and sees nothing."),
            "sleep": S.reference("duration", "The device sleeps."),
            "set_clock": [
                "type": "string", "minLength": 1,
                "description": "Somebody sets the clock: by +1h or -30m, or to 2026-10-25 09:00.",
            ],
            "zone": S.reference("zone", "The device is in another zone from now on."),
            "kill": [
                "type": "string",
                "description": "A service, or extension for those that run: it dies at once.",
            ],
            "rule": S.reference("rule", "Adds a rule."),
            "pause": S.text("Silences a rule for as long as `for` says."),
            "remove": S.text("Takes a rule away."),
            "start": S.reference("activity", "Begins to watch."),
            "stop": S.text("Ends to watch this activity."),
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
        properties["for"] = S.reference("duration", "For how long.")
        properties["told"] = S.flag("Whether the system says that it goes to sleep; true if absent.")
        properties["app"] = S.text("Whose activity is meant.")
        properties["times"] = [
            "type": "integer", "minimum": 1,
            "maximum": .integer(UsageObserve.notificationCounts.upperBound),
            "description": "How many notifications; one if absent.",
        ]
        properties["on"] = S.reference("days", "On which of these days.")
        properties["steps"] = S.list(S.reference("step"), "What happens on each of these days.")
        properties["because"] = S.text("Why somebody asks for more time.")
        properties["refused"] = S.text("The code with which it must be refused.")
        return S.merged(S.object(properties), S.one(of: actions.keys.sorted()))
    }

    static var expectation: JSONValue {
        let methods: JSONValue = .object(["enum": S.strings(ScenarioReader.methods)])
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
        properties["presence"] = .object(["enum": S.strings(ScenarioReader.presences)])
        properties["by"] = S.text("By this store: worklog/gaming, or the name of a rule.")
        properties["setting"] = S.text("Such as shield.applicationCategories.")
        properties["empty"] = S.flag("Whether the store, or the setting in it, is empty.")
        return S.merged(S.object(properties), S.one(of: kinds.keys.sorted()))
    }
}
