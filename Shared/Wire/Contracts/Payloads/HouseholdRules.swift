package import STPlatform

/// A rule of a member as it stands for all machines of a household, or how long changes that loosen this member's rules wait.
package struct HouseholdRule: WireBody, Codable, Equatable {
    /// The id of the one that says how long loosening changes wait.
    package static let delay = "delay"

    /// The same on all machines: made from what the rule was about when it was added.
    package var id: String
    /// As the household calls them; on a machine as this one does.
    package var member: String
    /// Counts the changes that the household has taken. Of a change: the version that it was made to.
    package var version: Int64
    /// Nil: there is no such rule (any more).
    package var spec: RuleSpec?
    package var delayMs: Int64?
    /// The guardian who agreed to what became looser.
    package var by: String?
    /// The machine where it was changed last.
    package var device: String?

    package init(
        id: String,
        member: String,
        version: Int64,
        spec: RuleSpec? = nil,
        delayMs: Int64? = nil,
        by: String? = nil,
        device: String? = nil
    ) {
        self.id = id
        self.member = member
        self.version = version
        self.spec = spec
        self.delayMs = delayMs
        self.by = by
        self.device = device
    }

    /// Whether both say the same; each machine may call a rule by another name.
    package func isSame(as other: HouseholdRule) -> Bool {
        spec?.unnamed == other.spec?.unnamed && delayMs == other.delayMs
    }
}

extension RuleSpec {
    /// What it demands and says, whoever's it is and whatever it is called.
    package var unnamed: RuleSpec {
        var spec = self
        spec.name = nil
        spec.member = nil
        spec.proof = nil
        return spec
    }
}

/// What a machine knows of a rule.
package struct HouseholdRuleKnown: WireBody, Codable, Equatable {
    package var member: String
    package var id: String
    package var version: Int64

    package init(member: String, id: String, version: Int64) {
        self.member = member
        self.id = id
        self.version = version
    }
}

/// A machine tells what changed in the rules of its people, and hears what changed elsewhere.
package enum HouseholdRules: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var changes: [HouseholdRule]
        /// What it has, so that it is given only what is other.
        package var known: [HouseholdRuleKnown]
        /// Who is a child on this machine: their rules become looser by a guardian's word only.
        package var children: [String]

        package init(changes: [HouseholdRule], known: [HouseholdRuleKnown], children: [String]) {
            self.changes = changes
            self.known = known
            self.children = children
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// What each change has led to, and what else is other.
        package var rules: [HouseholdRule]
        /// There is more to hear.
        package var more: Bool

        package init(rules: [HouseholdRule], more: Bool) {
            self.rules = rules
            self.more = more
        }
    }

    /// Of one member; those that were removed count.
    package static let max = 2_000
    package static let changesMax = 50
    /// Of the changes in one request, and of the rules in one reply.
    package static let bytesMax = 128 * 1024
    package static let name = "household.rules"
    package static let kind = RouteKind.write
    package static let access: Access = .device
    package static let keepsNoReply = true
    package static let summary =
        "Takes what changed in rules on a machine, and says what changed elsewhere; of two changes the stricter one stands."
}

/// Takes rules that a household has for members of this machine, and says what changed here.
package enum RuleFollow: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The household and its numbers; another one begins from the beginning.
        package var household: String
        /// The people of this machine whose rules are the household's, too.
        package var members: [String]
        /// What this machine told before, and the household has answered.
        package var told: [HouseholdRule]
        package var heard: [HouseholdRule]

        package init(
            household: String,
            members: [String],
            told: [HouseholdRule] = [],
            heard: [HouseholdRule] = []
        ) {
            self.household = household
            self.members = members
            self.told = told
            self.heard = heard
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// What the household does not know yet.
        package var changes: [HouseholdRule]
        package var known: [HouseholdRuleKnown]
        /// Why a rule of the household cannot hold here.
        package var aside: [Problem]

        package init(changes: [HouseholdRule], known: [HouseholdRuleKnown], aside: [Problem]) {
            self.changes = changes
            self.known = known
            self.aside = aside
        }
    }

    package static let name = "rule.follow"
    package static let kind = RouteKind.write
    package static let summary =
        "Takes the rules that a household has for members of this machine, and says what changed here."
}
