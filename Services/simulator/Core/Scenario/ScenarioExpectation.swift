package import STContracts

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
        /// `worklog/gaming`, or the name of a rule; nil is whoever it is.
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
