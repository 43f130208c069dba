package import STPlatform

/// What stands for all machines of a household: a rule of a member, how long changes that loosen this member's rules wait, how
/// their requests are answered, the category of an app or a site, or a part of a list of sites.
package struct HouseholdRule: WireBody, Codable, Equatable {
    /// The id of the one that says how long loosening changes wait.
    package static let delay = "delay"
    /// The id of the one that says how a member's requests are answered.
    package static let requests = "requests"
    /// The id of the one by which a guardian's phone stops all computers of a member.
    package static let stop = "stop"
    /// The id of the one by which a teacher's phone leaves only some apps open for a class.
    package static func lesson(of phone: String) -> String { "\(lesson)-\(phone)" }
    package static let lesson = "lesson"
    /// The member of a category, which counts for all.
    package static let everyone = ""

    /// The id of a part of a list of sites, which is one of everyone.
    package static func list(_ name: String, part: Int) -> String { "\(lists)\(name)/\(part)" }
    package static let lists = "list:"

    /// The same on all machines: made from what the rule was about when it was added. Of a category: the app or site.
    package var id: String
    /// As the household calls them; on a machine as this one does.
    package var member: String
    /// Counts the changes that the household has taken. Of a change: the version that it was made to.
    package var version: Int64
    /// Nil: there is no such rule (any more).
    package var spec: RuleSpec?
    package var delayMs: Int64?
    package var category: String?
    /// Of a part of a list: the sites that are in the category.
    package var sites: [String]?
    package var requests: RequestRule?
    /// The guardian who agreed where this version is looser than the one before, as their machine calls them.
    package var by: String?
    /// The machine where it was changed last.
    package var device: String?

    package init(
        id: String,
        member: String,
        version: Int64,
        spec: RuleSpec? = nil,
        delayMs: Int64? = nil,
        category: String? = nil,
        sites: [String]? = nil,
        requests: RequestRule? = nil,
        by: String? = nil,
        device: String? = nil
    ) {
        self.id = id
        self.member = member
        self.version = version
        self.spec = spec
        self.delayMs = delayMs
        self.category = category
        self.sites = sites
        self.requests = requests
        self.by = by
        self.device = device
    }

    /// A rule that there is not.
    package static func none(_ id: String, of member: String) -> HouseholdRule {
        HouseholdRule(id: id, member: member, version: 0)
    }

    /// True if all names are short and plain. A machine ignores other rules, because a correct household does not send them.
    package var hasPlainNames: Bool {
        !id.isEmpty && [id, by ?? "", device ?? ""].allSatisfy(Self.isName)
    }

    package static func isName(_ text: String) -> Bool { text.utf8.count <= 256 && text.isPlain }

    /// Whether both say the same; each machine may call a rule by another name.
    package func isSame(as other: HouseholdRule) -> Bool {
        spec?.unnamed == other.spec?.unnamed && delayMs == other.delayMs && category == other.category
            && sites == other.sites && requests?.of("") == other.requests?.of("")
    }
}

extension RuleSpec {
    /// What it demands and says, without its name and its person.
    package var unnamed: RuleSpec {
        var spec = self
        spec.name = nil
        spec.member = nil
        // What is always allowed has no consequence.
        if spec.kind == .allow { spec.then = nil }
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

/// A change that the household does not take.
package struct HouseholdRuleRefused: WireBody, Codable, Equatable {
    package var member: String
    package var id: String
    package var problem: Problem

    package init(member: String, id: String, problem: Problem) {
        self.member = member
        self.id = id
        self.problem = problem
    }
}

/// A machine tells what changed in the rules of its people, and hears what changed elsewhere.
package enum HouseholdRules: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The people whose rules it exchanges.
        package var members: [String]
        package var changes: [HouseholdRule]
        /// What it has, so that it is given only what differs.
        package var known: [HouseholdRuleKnown]
        /// Who is a child on this machine, which has a guardian: their rules become looser by a guardian's word only.
        package var children: [String]

        package init(
            members: [String],
            changes: [HouseholdRule],
            known: [HouseholdRuleKnown],
            children: [String]
        ) {
            self.members = members
            self.changes = changes
            self.known = known
            self.children = children
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// What each change has led to, and what else differs; empty: both have the same.
        package var rules: [HouseholdRule]
        /// Changes that are no rules of a person here, and why.
        package var refused: [HouseholdRuleRefused]

        package init(rules: [HouseholdRule], refused: [HouseholdRuleRefused]) {
            self.rules = rules
            self.refused = refused
        }
    }

    /// Upper bound on the rules of one member in a household, including removed ones.
    package static let max = 1_000
    /// Upper bound on the rules of one member that a machine keeps. The margin is for lessons, which `max` does not include.
    package static let keptMax = max + 100
    package static let changesMax = 50
    /// Of the changes in one request, and of the rules in one reply.
    package static let bytesMax = 48 * 1024
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
        package var refused: [HouseholdRuleRefused]
        /// How much the household may know; nil: all.
        package var share: LinkShare?

        package init(
            household: String,
            members: [String],
            told: [HouseholdRule] = [],
            heard: [HouseholdRule] = [],
            refused: [HouseholdRuleRefused] = [],
            share: LinkShare? = nil
        ) {
            self.household = household
            self.members = members
            self.told = told
            self.heard = heard
            self.refused = refused
            self.share = share
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// What the household does not know yet.
        package var changes: [HouseholdRule]
        package var known: [HouseholdRuleKnown]
        /// Why a rule of the household cannot hold here, or one of this machine not there; the first few.
        package var aside: [Problem]
        /// What people are to be told: a change that they made here does not stand.
        package var notices: [NotifyPost.Request]

        package init(
            changes: [HouseholdRule],
            known: [HouseholdRuleKnown],
            aside: [Problem],
            notices: [NotifyPost.Request]
        ) {
            self.changes = changes
            self.known = known
            self.aside = aside
            self.notices = notices
        }
    }

    package static let name = "rule.follow"
    package static let kind = RouteKind.write
    /// Another program could make a child's rules looser so.
    package static let caller: ServiceName? = .link
    package static let summary =
        "Takes the rules that a household has for members of this machine, and says what changed here."
}

/// Takes the categories that a household has, and says which ones people have chosen here.
package enum CategoryFollow: Route {
    package typealias Request = RuleFollow.Request
    package typealias Reply = RuleFollow.Reply

    package static let name = "category.follow"
    package static let kind = RouteKind.write
    package static let caller: ServiceName? = .link
    package static let summary =
        "Takes the categories that a household has, and says which ones people have chosen here."
}

/// Takes how the requests of members are answered on all machines of a household, and says what changed here.
package enum RequestRuleFollow: Route {
    package typealias Request = RuleFollow.Request
    package typealias Reply = RuleFollow.Reply

    package static let name = "request.rule.follow"
    package static let kind = RouteKind.write
    package static let caller: ServiceName? = .link
    package static let summary =
        "Takes how the requests of members are answered on all machines of a household, and says what changed here."
}
