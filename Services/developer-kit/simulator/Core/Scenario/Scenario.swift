package import STContracts
package import STDomain
package import STSimulator

/// A stretch of people's time, written down: who is there, what is watched, what they do, what must come of it.
package struct Scenario: Sendable, Equatable {
    package var name: String
    package var about: String?
    /// The zone of the device at the start.
    package var zone: String
    package var startWallMs: Int64
    /// Nil: with the last step.
    package var end: CivilMoment?
    /// What the owner of this account is called here: outside of a simulation it is the account's own name.
    package var owner: String
    package var members: [ScenarioMember] = []
    package var categories: [ScenarioCategory] = []
    package var apps: [ScenarioApp] = []
    package var rules: [ScenarioRule] = []
    package var activities: [ScenarioActivity] = []
    package var steps: [ScenarioStep] = []
    package var expectations: [ScenarioExpectation] = []
    /// The folder that relative paths begin at.
    package var folder: String

    /// A moment in a scenario, with the place where it was written.
    package struct CivilMoment: Sendable, Equatable {
        var text: CivilText
        var path: String
    }

    /// All but the owner, who is always there.
    var names: [String] { [owner] + members.map(\.name) }
}

/// Another person of the household.
package struct ScenarioMember: Sendable, Equatable {
    package var name: String
    package var role: MemberRole
}

/// An app or a site that belongs somewhere else than our list says.
package struct ScenarioCategory: Sendable, Equatable {
    package var subject: String
    package var category: String
    package var path: String
}

/// An app bundle to be installed, and who lets it do what it asks for.
package struct ScenarioApp: Sendable, Equatable {
    /// The folder with manifest.json.
    package var bundle: String
    /// Where executables are looked for that are not in the bundle.
    package var programs: String?
    package var permittedBy: [String]
    /// What the app itself would have put into the defaults of its groups.
    package var defaults: [ScenarioDefaults] = []
    package var path: String
}

/// Something that is watched: when, and how much use of what.
package struct ScenarioActivity: Sendable, Equatable {
    package var name: String
    /// Nil: it belongs to no app; what happens is reported, and no extension is called.
    package var app: String?
    package var member: String?
    package var schedule: Schedule
    package var events: [ActivityEventSpec]
    package var mode: ScheduleMode?
    package var path: String
}

/// A built-in rule as a scenario has it.
package struct ScenarioRule: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case limit(ofMs: Int64)
        case downtime(from: String, to: String)
        case window(from: String, to: String)
        case goal(ofMs: Int64, opens: [TokenItem])
        case rest(ofMs: Int64, afterMs: Int64)
        case allow
    }

    package var kind: Kind
    package var name: String?
    package var member: String?
    package var targets: [TokenItem]
    /// 1 is Sunday; nil is every day.
    package var days: [Int]?
    package var except: [String]?
    package var weekendMs: Int64?
    package var warnMs: Int64?
    package var say: String?
    /// Nil: as the rule's own default has it.
    package var then: RuleConsequence?
    package var path: String
}

/// One thing that happens.
package struct ScenarioStep: Sendable, Equatable {
    package enum When: Sendable, Equatable {
        /// When what the same member did before is over; for the device, when all before it is.
        case next
        case after(ms: Int64)
        case at(CivilText)
    }

    /// What a member does, and for how long.
    package struct Sight: Sendable, Equatable {
        package var presence: Presence
        package var app: String?
        package var site: String?
        package var forMs: Int64
        /// A film, a call or something that fills the screen.
        package var isBusy = false
    }

    package enum ClockChange: Sendable, Equatable {
        case by(ms: Int64)
        case to(CivilText)
    }

    package enum Action: Sendable, Equatable {
        case sight(Sight)
        /// The desktop's agent is dead and sees nothing.
        case blind(forMs: Int64)
        /// `isTold`: whether the system says so, as logind does.
        case sleep(forMs: Int64, isTold: Bool)
        /// By a person, or by a server of time, which is believed.
        case setClock(ClockChange, isSynchronised: Bool)
        case travel(zone: String)
        case kill(program: String)
        case addRule(ScenarioRule)
        case pauseRule(name: String, forMs: Int64)
        case removeRule(name: String)
        case start(ScenarioActivity)
        case stop(app: String?, activity: String)
        case permit(app: String)
        case revoke(app: String)
        /// auth-service gives other tokens from now on.
        case changeTokens
        case run(words: [String])
        /// An app shows notifications to a member.
        case notify(app: String, times: Int)
        /// A button of the shield in front of them.
        /// `ifThere`: without a shield nothing happens.
        case press(ShieldButton, ifThere: Bool)
        case request(items: [TokenItem], forMs: Int64, because: String?)
        /// The latest request of a member that waits for an answer.
        case approve(whose: String, forMs: Int64?)
        case repeated(days: Int, on: [Int]?, steps: [ScenarioStep])
    }

    package var when: When
    package var member: String?
    package var action: Action
    /// The code with which it must be refused.
    package var refused: String?
    package var path: String
}

/// What must come of a scenario.
package struct ScenarioExpectation: Sendable, Equatable {
    /// Which callbacks are meant; nil is any.
    package struct Callback: Sendable, Equatable {
        package var method: String
        package var app: String?
        package var member: String?
        package var activity: String?
        package var event: String?
    }

    /// Something that may be shielded, and by whom.
    package struct Shield: Sendable, Equatable {
        package var item: TokenItem
        /// The site open in the app.
        package var site: String?
        package var member: String?
        /// `worklog/gaming`, or the name of a rule; nil is any store.
        package var by: String?
    }

    package struct Store: Sendable, Equatable {
        /// Nil: that of a rule.
        package var app: String?
        package var name: String
        package var member: String?
        /// Nil is any.
        package var setting: String?
        package var isEmpty: Bool
    }

    package enum Kind: Sendable, Equatable {
        case callback(Callback)
        case notification(text: String, app: String?, member: String?)
        /// What has counted towards an event.
        case used(ms: Int64, app: String?, member: String?, activity: String, event: String)
        /// The sum of rows of the ledger.
        case ledger(
            ms: Int64,
            member: String?,
            app: String?,
            site: String?,
            presence: Presence,
            isShielded: Bool
        )
        /// Whether it is.
        case shielded(Shield, Bool)
        case shieldShown(Shield)
        case store(Store)
    }

    package var kind: Kind
    /// By the clock of the device; of what is measured when it is looked at.
    package var at: CivilText?
    package var from: CivilText?
    package var to: CivilText?
    /// The zone of these moments; nil is the one at the start.
    package var zone: String?
    /// How often; nil is at least once.
    package var times: Int?
    package var path: String
}
