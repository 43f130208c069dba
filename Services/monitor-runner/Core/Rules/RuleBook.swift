package import STContracts
package import STPlatform

/// All rules, and what of them activity-center has taken up.
package struct RuleBook: Sendable, Equatable {
    package static let rulesMax = 200
    /// As many activities as activity-center watches for the rules of all people together.
    package static let activitiesMax = 200

    /// Of an activity: its member and its name.
    package struct Place: Sendable, Hashable {
        package var member: String
        package var activity: String

        package init(member: String, activity: String) {
            self.member = member
            self.activity = activity
        }
    }

    /// What was last asked of activity-center.
    package struct Watch: Sendable, Equatable {
        package var request: ActivityStart.Request
        /// Why it refused; nil when it watches.
        package var problem: Problem?

        package init(request: ActivityStart.Request, problem: Problem? = nil) {
            self.request = request
            self.problem = problem
        }
    }

    package var rules: [String: Rule] = [:]
    package var watches: [Place: Watch] = [:]
    package var shields = ShieldBook()
    package var lastRevision: Int64 = 0
    /// Of this database, made once: keys of another one, or made up, are none of ours.
    package var epoch = ""
    /// How long changes that loosen a member's rules wait.
    package var delays: [String: MemberDelay] = [:]
    /// What is said in, not written down: the account may have another language at the next start.
    var words = NoticeWords(language: "en")

    package init() {}

    package var sorted: [Rule] { rules.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) } }

    /// By name, however it is capitalised.
    package func find(_ name: String) -> Rule? {
        let wanted = name.lowercased()
        return rules.values.first { $0.name == name } ?? rules.values.first { $0.name.lowercased() == wanted }
    }

    /// The rule that an activity belongs to.
    package func rule(watching activity: String) -> Rule? {
        rules[activity]
            ?? (activity.hasSuffix(RulePlan.offSuffix) ? rules[String(activity.dropLast(4))] : nil)
    }

    /// What should be watched, by where it stands.
    package var desired: [Place: (rule: Rule, request: ActivityStart.Request)] {
        var desired: [Place: (Rule, ActivityStart.Request)] = [:]
        for rule in rules.values {
            for request in RulePlan.activities(of: rule) {
                desired[Place(member: rule.member, activity: request.activity)] = (rule, request)
            }
        }
        return desired
    }

    /// One step on the way to what should be watched.
    package enum Step: Sendable, Equatable {
        /// With the key that makes a repeat harmless: watching anew would count from the beginning.
        case start(ActivityStart.Request, key: String)
        case stop(Place)
    }

    /// Nil when all is as it should be, as far as activity-center lets it.
    package var nextStep: Step? {
        let desired = desired
        let order: (Place, Place) -> Bool = { ($0.member, $0.activity) < ($1.member, $1.activity) }
        // First what goes, so that there is room for what comes.
        if let gone = watches.filter({ desired[$0.key] == nil }).keys.min(by: order) { return .stop(gone) }
        let open = desired.filter { watches[$0.key]?.request != $0.value.request }
        guard let place = open.keys.min(by: order), let (rule, request) = open[place] else { return nil }
        return .start(request, key: "\(epoch)/\(request.activity)/\(rule.revision)")
    }

    /// Why activity-center does not watch for a rule; nil where it does or was not asked yet.
    package func problem(of rule: Rule) -> Problem? {
        RulePlan.activities(of: rule).lazy.compactMap {
            watches[Place(member: rule.member, activity: $0.activity)]?.problem
        }.first
    }

    package func isWatched(_ rule: Rule) -> Bool {
        RulePlan.activities(of: rule).allSatisfy { request in
            let watch = watches[Place(member: rule.member, activity: request.activity)]
            return watch?.request == request && watch?.problem == nil
        }
    }

    /// Takes over what activity-center says it watches: what it has needs no asking, what it lost is asked for again.
    package mutating func compare(with actual: [ActivityView]) {
        let desired = desired
        var known: [Place: Watch] = [:]
        for view in actual where view.app == BuiltInRules.app {
            let place = Place(member: view.member, activity: view.activity)
            if let request = desired[place]?.request, request.schedule == view.schedule,
                request.events == view.events
            {
                known[place] = Watch(request: request)
            } else {
                known[place] = Watch(request: Self.request(of: view))
            }
        }
        watches = known
        for (place, wanted) in desired where known[place]?.request != wanted.request {
            // Under the old key the answer would be the old one.
            lastRevision += 1
            rules[wanted.rule.id]?.revision = lastRevision
        }
    }

    private static func request(of view: ActivityView) -> ActivityStart.Request {
        ActivityStart.Request(
            app: view.app,
            member: view.member,
            activity: view.activity,
            schedule: view.schedule,
            events: view.events,
            mode: view.mode
        )
    }
}
