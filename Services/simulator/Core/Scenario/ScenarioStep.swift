package import STContracts

/// One thing that happens.
package struct ScenarioStep: Sendable, Equatable {
    package enum When: Sendable, Equatable {
        /// When what the same member did before is over; for the device, when all before it is.
        case next
        case after(ms: Int64)
        case at(CivilText)
    }

    /// What somebody does, and for how long.
    package struct Sight: Sendable, Equatable {
        package var presence: Presence
        package var app: String?
        package var site: String?
        package var forMs: Int64
    }

    package enum ClockChange: Sendable, Equatable {
        case by(ms: Int64)
        case to(CivilText)
    }

    package enum Action: Sendable, Equatable {
        case sight(Sight)
        /// The desktop's agent is dead: nobody sees what happens.
        case blind(forMs: Int64)
        /// `isTold`: whether the system says so, as logind does.
        case sleep(forMs: Int64, isTold: Bool)
        case setClock(ClockChange)
        case travel(zone: String)
        case kill(program: String)
        case addRule(ScenarioRule)
        case pauseRule(name: String, forMs: Int64)
        case removeRule(name: String)
        case start(ScenarioActivity)
        case stop(app: String?, activity: String)
        case permit(app: String)
        case revoke(app: String)
        case run(words: [String])
        /// An app puts notifications before somebody.
        case notify(app: String, times: Int)
        /// A button of the shield in front of them.
        case press(ShieldButton)
        case request(items: [TokenItem], forMs: Int64, because: String?)
        /// The latest request of somebody that waits.
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
