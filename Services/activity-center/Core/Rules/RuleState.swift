package import STContracts
import STDomain
package import STPlatform

/// All rules, their activities, and their decisions.
package struct RuleState: Sendable, Equatable {
    package static let rulesMax = 200
    /// Upper bound on the activities of all rules together.
    package static let activitiesMax = 200
    /// Additional rules and activities for rules of the household only. A child who reaches the limits with other rules therefore
    /// cannot keep out a guardian's stop (`HouseholdRule.stop`).
    static let householdRoom = 20

    /// An activity: its member and its name.
    package struct Place: Sendable, Hashable {
        package var member: String
        package var activity: String

        package init(member: String, activity: String) {
            self.member = member
            self.activity = activity
        }
    }

    /// The last attempt to start an activity of a rule.
    package struct Watch: Sendable, Equatable {
        package var request: ActivityStart.Request
        /// The reason why the activity cannot be watched, or nil if it is watched.
        package var problem: Problem?

        package init(request: ActivityStart.Request, problem: Problem? = nil) {
            self.request = request
            self.problem = problem
        }
    }

    package var rules: [String: Rule] = [:]
    /// The reason why the rules of an earlier version could not be copied. While it is set, rules can be neither read nor
    /// changed.
    package var moveProblem: Problem?
    /// The activities that were started for the rules, and those that were refused. Not saved: `deriveWatches` restores the
    /// started ones.
    package var watches: [Place: Watch] = [:]
    package var shields = RuleShields()
    /// The delays for changes that loosen rules, by member.
    package var delays: [String: MemberDelay] = [:]
    /// The rules that this machine shares with its household.
    package var sharing = RuleSharing()
    /// The strings of notices. Not saved, because the account may have another language at the next start.
    var strings = NoticeStrings(language: "en")

    package init() {}

    package var sorted: [Rule] { sorted { _ in true } }

    func sorted(where isMeant: (Rule) -> Bool) -> [Rule] {
        rules.values.filter(isMeant).sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// Finds a rule by name. An exact match takes precedence over a match that differs in case.
    package func find(_ name: String) -> Rule? {
        let wanted = name.lowercased()
        return rules.values.first { $0.name == name } ?? rules.values.first { $0.name.lowercased() == wanted }
    }

    /// Returns the rule to which an activity belongs.
    package func rule(watching activity: String) -> Rule? {
        rules[BuiltInRules.rule(watching: activity)]
    }

    /// Removes the rules, delays and decisions of a removed member.
    mutating func removeMember(_ member: String) {
        rules = rules.filter { $0.value.member != member }
        delays[member] = nil
        sharing.rules = sharing.rules.filter { $0.key.member != member }
        shields.decisions = shields.decisions.filter { $0.key.member != member }
    }

    /// Returns the activities that the rules need, or only those of the rules in `ids`.
    package func desired(of ids: Set<String>? = nil) -> [Place: ActivityStart.Request] {
        var desired: [Place: ActivityStart.Request] = [:]
        for rule in ids.map({ $0.compactMap { rules[$0] } }) ?? Array(rules.values) {
            for request in RulePlan.activities(of: rule) {
                desired[Place(member: rule.member, activity: request.activity)] = request
            }
        }
        return desired
    }

    /// One change of the activities of rules.
    package enum Step: Sendable, Equatable {
        case start(ActivityStart.Request)
        case stop(Place)
    }

    /// Returns the next activity to start or stop, or nil if the rules have all activities that can be watched.
    ///
    /// `ids`: the rules to check, or nil for all rules.
    package func nextStep(of ids: Set<String>? = nil) -> Step? {
        if ids?.isEmpty == true { return nil }
        let desired = desired(of: ids)
        let order: (Place, Place) -> Bool = { ($0.member, $0.activity) < ($1.member, $1.activity) }
        let gone = watches.keys.filter {
            desired[$0] == nil && ids?.contains(BuiltInRules.rule(watching: $0.activity)) ?? true
        }
        // Removals first, to make room.
        if let place = gone.min(by: order) { return .stop(place) }
        let open = desired.filter { watches[$0.key]?.request != $0.value }
        return open.keys.min(by: order).flatMap { open[$0] }.map { .start($0) }
    }

    /// Returns the reason why an activity of a rule cannot be watched, or nil if all of them can be.
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

    /// Derives `watches` from the activity book.
    mutating func deriveWatches(from book: WatchedActivities) {
        let desired = desired()
        watches = [:]
        for activity in book.all(ofApp: BuiltInRules.app) {
            let place = Place(member: activity.key.member, activity: activity.key.activity)
            let events = activity.events.map(\.spec)
            let request = ActivityStart.Request(
                app: BuiltInRules.app,
                member: place.member,
                activity: place.activity,
                schedule: activity.schedule,
                events: events,
                mode: activity.mode
            )
            let wanted = desired[place]
            let isWanted = wanted?.schedule == activity.schedule && wanted?.events == events
            watches[place] = Watch(request: isWanted ? wanted ?? request : request)
        }
    }

    // MARK: - Shields

    /// Returns the contents of a rule's shield and the delivery that caused it, or nil while the rule shields nothing.
    static func shield(of rule: Rule, now: WallTime, _ words: NoticeStrings) -> (
        want: DesiredShield, delivery: String
    )? {
        guard rule.spec.then == .shield, !rule.isPaused(now: now),
            let closed = RuleClosure.current(rule)
        else { return nil }
        let note = RuleShieldNote.of(rule, closed: closed, words: words)
        let want: DesiredShield =
            switch rule.spec.kind {
            case .goal: .shielding(rule.spec.opens ?? [], note)
            case .session: .shielding([], except: rule.spec.targets, note)
            case .downtime: .shielding([], except: rule.spec.opens ?? [], note)
            case .limit, .window, .break, .allow, .unknown: .shielding(rule.spec.targets, note)
            }
        return (want, closed.delivery)
    }

    /// Returns the content that the rules require for a place, and the delivery that caused it.
    private func desiredShield(at place: RuleShields.Place, now: WallTime) -> (
        want: DesiredShield?, delivery: String?
    ) {
        switch place {
        case .store(let member, let id):
            // A removed rule has no store. Neither has a rule that has not shielded anything yet.
            guard let rule = rules[id], rule.member == member else { return (nil, nil) }
            guard let shield = Self.shield(of: rule, now: now, strings) else {
                return (shields.decisions[place] == nil ? nil : .clear, nil)
            }
            // An interval that `correctIntervals` opened has no delivery.
            return (shield.want, shield.delivery.isEmpty ? nil : shield.delivery)
        case .allowed(let member):
            let rules = rules.values.filter {
                $0.spec.kind == .allow && $0.member == member && $0.isInEffect && !$0.isPaused(now: now)
            }
            return (rules.isEmpty ? nil : .allowing(rules.flatMap(\.spec.targets)), nil)
        }
    }

    /// Returns the places that have a decision or can get one.
    ///
    /// `ids`: if given, only the places of these rules. A removed rule may have had any list.
    func places(of ids: Set<String>? = nil) -> Set<RuleShields.Place> {
        let hasLists = ids?.contains { rules[$0].map { $0.spec.kind == .allow } ?? true } ?? true
        let decided = shields.decisions.keys.filter { place in
            if case .store(_, let id) = place { ids?.contains(id) ?? true } else { hasLists }
        }
        let changed = ids.map { $0.compactMap { rules[$0] } } ?? Array(rules.values)
        return Set(decided).union(changed.flatMap(places))
    }

    private func places(of rule: Rule) -> [RuleShields.Place] {
        let store = RuleShields.Place.store(member: rule.member, rule: rule.id)
        return rule.spec.kind == .allow ? [store, .allowed(member: rule.member)] : [store]
    }

    /// Updates the decisions of all rules, or only those of the rules in `ids`.
    ///
    /// A new shield records the delivery that caused it. A removed shield records `cause`.
    package mutating func updateShields(now: WallTime, of ids: Set<String>? = nil, cause: String? = nil) {
        for place in places(of: ids) {
            let next = desiredShield(at: place, now: now)
            guard shields.decisions[place]?.shield != next.want else { continue }
            shields.decisions[place] = next.want.map {
                RuleShields.Decision(shield: $0, cause: next.delivery ?? cause)
            }
        }
    }

    /// Returns true while the rule's shield is up, or nil if the rule does not shield.
    package func isShielding(_ rule: Rule) -> Bool? {
        guard rule.spec.then == .shield else { return nil }
        guard case .settings = shields.decisions[.store(member: rule.member, rule: rule.id)]?.shield else {
            return false
        }
        return true
    }

    /// Returns the problem of a site that the rule's shield omits because its name is invalid.
    func shieldProblem(of rule: Rule) -> Problem? {
        guard rule.spec.then == .shield else { return nil }
        for item in rule.spec.targets + (rule.spec.opens ?? []) where item.kind == .domain {
            do { _ = try DomainName.checked(item.id, field: "/targets") } catch { return Problem(error) }
        }
        return nil
    }

    /// Updates the closed intervals of rules to match the intervals under way. A journey moves their ends, and the rules of
    /// an older version may lack some of them.
    mutating func correctIntervals(by book: WatchedActivities, now: WallTime) {
        var ongoing: [String: [String: IntervalSpan]] = [:]
        for activity in book.all(ofApp: BuiltInRules.app) {
            guard let current = activity.current else { continue }
            ongoing[activity.key.member, default: [:]][activity.key.activity] = current
            open(activity, current)
        }
        for rule in rules.values where rule.closed != nil {
            rules[rule.id] = RuleClosure.corrected(rule, ongoing[rule.member] ?? [:], now: now)
        }
    }

    /// The moment of the next check of closed intervals. Normally an occurrence has ended each interval by then.
    ///
    /// If the clock was set back and the zone changed, no occurrence reports the end.
    var intervalCheck: WallTime? {
        rules.values.filter { $0.ends == nil }.flatMap { ($0.closed ?? [:]).values }.map(\.endMs).min().map {
            WallTime(ms: $0) + RuleClosure.grace
        }
    }

    /// Throws the reason if the rules of an earlier version could not be read.
    func requireCopiedRules() throws(Problem) {
        if let moveProblem { throw moveProblem }
    }

    /// Adds a closed interval that no event began, because an older version published the event.
    private mutating func open(_ activity: WatchedActivity, _ current: IntervalSpan) {
        let place = Place(member: activity.key.member, activity: activity.key.activity)
        // Ignore the activities of an older version of the rule.
        guard let rule = rule(watching: place.activity), rule.member == place.member,
            let request = RulePlan.activities(of: rule).first(where: { $0.activity == place.activity }),
            watches[place]?.request == request
        else { return }
        let used = activity.events.first { $0.spec.name == BuiltInRules.usedEvent && $0.progress.reached }
        let startMs = current.startWallMs
        if rule.spec.kind == .goal, used != nil { rules[rule.id]?.metStartMs = startMs }
        guard rule.closed?[place.activity]?.startMs != startMs, rule.spec.kind != .break,
            rule.spec.kind != .limit || used != nil
        else { return }
        rules[rule.id]?.closed = rule.closed ?? [:]
        rules[rule.id]?.closed?[place.activity] = ClosedInterval(
            start: current.start,
            end: current.end,
            delivery: "",
            threshold: used.map { .milliseconds($0.budget.thresholdMs) },
            zone: current.zone
        )
    }
}
