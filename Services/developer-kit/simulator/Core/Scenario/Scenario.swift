package import STContracts
package import STDomain
package import STPlatform
package import STSimulator

/// A description of a period of use: people, rules and activities, steps, and expectations.
package struct Scenario: Sendable, Equatable {
    package var name: String
    package var about: String?
    /// The zone of the device at the start.
    package var zone: String
    package var start: WallTime
    /// The end of the scenario. `nil` means the end of the last step.
    package var end: CivilMoment?
    /// The name of this account's owner in the scenario. Outside a simulation it is the name of the account.
    package var owner: String
    package var members: [ScenarioMember] = []
    package var categories: [ScenarioCategory] = []
    package var apps: [ScenarioApp] = []
    package var rules: [ScenarioRule] = []
    package var activities: [ScenarioActivity] = []
    package var steps: [ScenarioStep] = []
    package var expectations: [ScenarioExpectation] = []
    /// The folder that relative paths start from.
    package var folder: String

    /// A moment in a scenario, with its place in the scenario's text.
    package struct CivilMoment: Sendable, Equatable {
        var text: CivilText
        var path: String
    }

    /// The names of all people, starting with the owner.
    var names: [String] { [owner] + members.map(\.name) }
}

/// Another person of the household.
package struct ScenarioMember: Sendable, Equatable {
    package var name: String
    package var role: MemberRole
}

/// An app or a site whose category differs from the built-in list.
package struct ScenarioCategory: Sendable, Equatable {
    package var subject: String
    package var category: String
    package var path: String
}

/// An app bundle to install, and the members who give it permission.
package struct ScenarioApp: Sendable, Equatable {
    /// The folder that contains manifest.json.
    package var bundle: String
    /// The folder with executables that are not in the bundle.
    package var programs: String?
    package var permittedBy: [String]
    /// The defaults that the app would have stored in its groups.
    package var defaults: [ScenarioDefaults] = []
    package var path: String
}

/// A monitored activity with its schedule and events.
package struct ScenarioActivity: Sendable, Equatable {
    package var name: String
    /// The app of the activity. If it is `nil`, events are reported but no extension is called.
    package var app: String?
    package var member: String?
    package var schedule: Schedule
    package var events: [ActivityEventSpec]
    package var mode: ScheduleMode?
    package var path: String
}

/// A built-in rule in a scenario.
package struct ScenarioRule: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case limit(of: Duration)
        case downtime(from: String, to: String)
        case window(from: String, to: String)
        case goal(of: Duration, opens: [TokenItem])
        case rest(of: Duration, after: Duration)
        case allow
    }

    package var kind: Kind
    package var name: String?
    package var member: String?
    package var targets: [TokenItem]
    /// The days of the week, where 1 is Sunday. `nil` means every day.
    package var days: [Int]?
    package var except: [String]?
    package var weekend: Duration?
    package var warning: Duration?
    package var say: String?
    /// The consequence of the rule. `nil` means the default of the rule.
    package var then: RuleConsequence?
    package var path: String
}

/// One step of a scenario.
package struct ScenarioStep: Sendable, Equatable {
    package enum StepTime: Sendable, Equatable {
        /// The end of the same member's previous step. For the device, the end of all previous steps.
        case next
        case after(Duration)
        case at(CivilText)
    }

    /// The presence and foreground app of a member, and their duration.
    package struct ScreenState: Sendable, Equatable {
        package var presence: Presence
        package var app: String?
        package var site: String?
        package var length: Duration
        /// True for a film, a call or another full-screen app.
        package var isBusy = false
    }

    package enum ClockChange: Sendable, Equatable {
        case by(Duration)
        case to(CivilText)
    }

    package enum Action: Sendable, Equatable {
        case screen(ScreenState)
        /// Stops the desktop's agent for a time.
        case agentStopped(for: Duration)
        /// Suspends the device. `isTold` is true if the system announces it, as logind does.
        case sleep(for: Duration, isTold: Bool)
        /// Sets the clock. A time server is trusted, a person is not.
        case setClock(ClockChange, isSynchronised: Bool)
        case travel(zone: String)
        case kill(program: String)
        case addRule(ScenarioRule)
        case pauseRule(name: String, for: Duration)
        case removeRule(name: String)
        case start(ScenarioActivity)
        case stop(app: String?, activity: String)
        case permit(app: String)
        case revoke(app: String)
        /// Makes auth-service issue different tokens.
        case changeTokens
        case run(words: [String])
        /// Lets an app show notifications to a member.
        case notify(app: String, times: Int)
        /// Presses a button of the shield that the member sees. If `ifThere` is true and there is no shield, nothing happens.
        case press(ShieldButton, ifThere: Bool)
        case request(items: [TokenItem], for: Duration, because: String?)
        /// Approves the latest pending request of a member.
        case approve(whose: String, for: Duration?)
        case repeated(days: Int, on: [Int]?, steps: [ScenarioStep])
    }

    package var time: StepTime
    package var member: String?
    package var action: Action
    /// The error code with which the step must be rejected. `nil` if the step must succeed.
    package var refused: String?
    package var path: String
}

/// An expected result of a scenario.
package struct ScenarioExpectation: Sendable, Equatable {
    /// The expected callbacks. A property that is `nil` matches any value.
    package struct Callback: Sendable, Equatable {
        package var method: String
        package var app: String?
        package var member: String?
        package var activity: String?
        package var event: String?
    }

    /// A thing that may be shielded, and the store that shields it.
    package struct Shield: Sendable, Equatable {
        package var item: TokenItem
        /// The site that is open in the app.
        package var site: String?
        package var member: String?
        /// The name of a store, for example `worklog/gaming`, or of a rule. `nil` matches any store.
        package var by: String?
    }

    package struct Store: Sendable, Equatable {
        /// The app of the store. `nil` means the store of a rule.
        package var app: String?
        package var name: String
        package var member: String?
        /// The name of a setting. `nil` matches any setting.
        package var setting: String?
        package var isEmpty: Bool
    }

    package enum Kind: Sendable, Equatable {
        case callback(Callback)
        case notification(text: String, app: String?, member: String?)
        /// The use that has counted towards an event.
        case used(length: Duration, app: String?, member: String?, activity: String, event: String)
        /// The sum of rows of the ledger.
        case ledger(
            length: Duration,
            member: String?,
            app: String?,
            site: String?,
            presence: Presence,
            isShielded: Bool
        )
        /// The presence or absence of a shield.
        case shielded(Shield, Bool)
        case shieldShown(Shield)
        case store(Store)
    }

    package var kind: Kind
    /// The time by the clock of the device. For a state, it is the time of the measurement.
    package var at: CivilText?
    package var from: CivilText?
    package var to: CivilText?
    /// The zone of these times. `nil` means the zone at the start.
    package var zone: String?
    /// The number of times. `nil` means at least once.
    package var times: Int?
    package var path: String
}
