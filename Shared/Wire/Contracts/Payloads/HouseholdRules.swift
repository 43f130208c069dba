package import STPlatform

/// A rule that applies on all machines of a household. It can also be a member's delay for changes or rule for requests, the
/// category of an app or site, or a part of a list.
package struct HouseholdRule: WireBody, Codable, Equatable {
    /// The id of a member's delay for loosening changes.
    package static let delay = "delay"
    /// The id of a member's rule for requests.
    package static let requests = "requests"
    /// The id of the rule by which a guardian's phone stops all computers of a member.
    package static let stop = "stop"
    /// Returns the id of the rule by which a teacher's phone leaves only some apps open for a class.
    package static func lesson(of phone: String) -> String { "\(lesson)-\(phone)" }
    package static let lesson = "lesson"
    /// The member of a category, because a category applies to everyone.
    package static let everyone = ""

    /// Returns the id of a part of a list of sites. Its member is `everyone`.
    package static func list(_ name: String, part: Int) -> String { "\(lists)\(name)/\(part)" }
    package static let lists = "list:"

    /// The id, which is the same on all machines. It is made from the rule's subject at its creation. For a category, it is the app
    /// or site.
    package var id: String
    /// The person's name in the household. On a machine, the person's name on that machine.
    package var member: String
    /// The number of changes that the household has accepted. In a change, the version to which the change was made.
    package var version: Int64
    /// The rule. `nil` if it does not exist or no longer exists.
    package var spec: RuleSpec?
    package var delayMs: Int64?
    package var category: String?
    /// For a part of a list: the sites in the category.
    package var sites: [String]?
    package var requests: RequestRule?
    /// The guardian who agreed to this version, if it is looser than the previous one, by their machine's name.
    package var by: String?
    /// The machine of the last change.
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

    /// Returns the value for a rule that does not exist.
    package static func none(_ id: String, of member: String) -> HouseholdRule {
        HouseholdRule(id: id, member: member, version: 0)
    }

    /// True if all names are short and plain. A machine ignores other rules, because a correct household does not send them.
    package var hasPlainNames: Bool {
        !id.isEmpty && [id, by ?? "", device ?? ""].allSatisfy(Self.isName)
    }

    package static func isName(_ text: String) -> Bool { text.utf8.count <= 256 && text.isPlain }

    /// Returns true if both rules have the same content. Each machine may give a rule another name.
    package func isSame(as other: HouseholdRule) -> Bool {
        spec?.unnamed == other.spec?.unnamed && delayMs == other.delayMs && category == other.category
            && sites == other.sites && requests?.of("") == other.requests?.of("")
    }
}

extension RuleSpec {
    /// The rule without its name and member.
    package var unnamed: RuleSpec {
        var spec = self
        spec.name = nil
        spec.member = nil
        // A rule for an always-allowed app has no consequence.
        if spec.kind == .allow { spec.then = nil }
        return spec
    }
}

/// The version of a rule that a machine has.
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

/// A change that the household rejects.
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

/// Sends the changes to the rules of a machine's people, and returns the changes of other machines.
package enum HouseholdRules: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The people whose rules the machine exchanges.
        package var members: [String]
        package var changes: [HouseholdRule]
        /// The versions that the machine has. The reply contains only rules that differ.
        package var known: [HouseholdRuleKnown]
        /// The children on this machine, if it has a guardian. Their rules become looser only with a guardian's approval.
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
        /// The result of each change, and the other rules that differ. Empty if both sides have the same rules.
        package var rules: [HouseholdRule]
        /// The changes that are not valid rules of a person, with the reasons.
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
    /// The maximum size of the changes in one request, and of the rules in one reply.
    package static let bytesMax = 48 * 1024
    package static let name = "household.rules"
    package static let kind = RouteKind.write
    package static let access: Access = .device
    package static let discardsReply = true
    package static let summary =
        "Applies a machine's changes to rules, and returns the changes of other machines. "
        + "If changes conflict, the stricter one applies, or both do."
}

/// Applies the household's rules for members of this machine, and returns the changes of this machine.
package enum RuleFollow: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The household and its numbering. If it changes, the exchange starts from the beginning.
        package var household: String
        /// The people of this machine whose rules also belong to the household.
        package var members: [String]
        /// The changes that this machine sent before and that the household has answered.
        package var told: [HouseholdRule]
        package var heard: [HouseholdRule]
        package var refused: [HouseholdRuleRefused]
        /// The part of the usage that the household may receive. `nil` means all.
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
        /// The changes that the household has not received yet.
        package var changes: [HouseholdRule]
        package var known: [HouseholdRuleKnown]
        /// The first few reasons why a rule of the household cannot apply here, or a rule of this machine in the household.
        package var aside: [Problem]
        /// The notifications for people whose changes on this machine were not accepted.
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
    /// Only link-service, because another program could loosen a child's rules.
    package static let caller: ServiceName? = .link
    package static let summary =
        "Applies the household's rules for members of this machine, and returns the changes made here."
}

/// Applies the household's categories, and returns the categories that people have chosen on this machine.
package enum CategoryFollow: Route {
    package typealias Request = RuleFollow.Request
    package typealias Reply = RuleFollow.Reply

    package static let name = "category.follow"
    package static let kind = RouteKind.write
    package static let caller: ServiceName? = .link
    package static let summary =
        "Applies the household's categories, and returns the categories that people chose on this machine."
}

/// Applies the household's rules for members' requests, and returns the changes of this machine.
package enum RequestRuleFollow: Route {
    package typealias Request = RuleFollow.Request
    package typealias Reply = RuleFollow.Reply

    package static let name = "request.rule.follow"
    package static let kind = RouteKind.write
    package static let caller: ServiceName? = .link
    package static let summary =
        "Applies the household's rules for answering members' requests, and returns the changes made here."
}
