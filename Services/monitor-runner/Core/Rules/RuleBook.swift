package import STContracts
import STDomain
package import STPlatform

/// All rules, their activities at activity-center, and their decisions.
package struct RuleBook: Sendable, Equatable {
    package static let rulesMax = 200
    /// activity-center watches at most so many activities for all rules together.
    package static let activitiesMax = 200
    /// Rules of a household find room beside those: a child who makes as many as there can be does not keep out a stop.
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

    /// What was last asked of activity-center.
    package struct Watch: Sendable, Equatable {
        package var request: ActivityStart.Request
        /// Why activity-center refused; nil when it watches.
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
    /// Made once for this database, so that its keys differ from those of any other.
    package var epoch = ""
    /// How long changes that loosen a member's rules wait.
    package var delays: [String: MemberDelay] = [:]
    /// What a household of many machines has of these rules.
    package var sharing = RuleSharing()
    /// The language of notices; not saved, since the account may have another one at the next start.
    var words = NoticeWords(language: "en")

    package init() {}

    package var sorted: [Rule] { sorted { _ in true } }

    func sorted(where isMeant: (Rule) -> Bool) -> [Rule] {
        rules.values.filter(isMeant).sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// Finds a rule by name; an exact match wins over other capitals.
    package func find(_ name: String) -> Rule? {
        let wanted = name.lowercased()
        return rules.values.first { $0.name == name } ?? rules.values.first { $0.name.lowercased() == wanted }
    }

    /// The rule that an activity belongs to.
    package func rule(watching activity: String) -> Rule? {
        rules[BuiltInRules.rule(watching: activity)]
    }

    /// Removes the rules, delays and decisions of a removed member.
    mutating func forget(_ member: String) {
        rules = rules.filter { $0.value.member != member }
        delays[member] = nil
        sharing.rules = sharing.rules.filter { $0.key.member != member }
        shields.decisions = shields.decisions.filter { $0.key.member != member }
    }

    /// What activity-center should watch.
    package var desired: [Place: (rule: Rule, request: ActivityStart.Request)] {
        var desired: [Place: (Rule, ActivityStart.Request)] = [:]
        for rule in rules.values {
            for request in RulePlan.activities(of: rule) {
                desired[Place(member: rule.member, activity: request.activity)] = (rule, request)
            }
        }
        return desired
    }

    /// One request to activity-center.
    package enum Step: Sendable, Equatable {
        /// The key makes a repeat harmless: starting again would count from zero.
        case start(ActivityStart.Request, key: String)
        case stop(Place)
    }

    /// What to ask of activity-center next; nil when nothing is missing except what it refused.
    package var nextStep: Step? {
        // Mostly nothing is missing, and then nothing has to be gathered.
        let asked = rules.values.flatMap { rule in
            RulePlan.activities(of: rule).map { (Place(member: rule.member, activity: $0.activity), $0) }
        }
        if asked.count == watches.count, asked.allSatisfy({ watches[$0]?.request == $1 }) { return nil }
        let desired = desired
        let order: (Place, Place) -> Bool = { ($0.member, $0.activity) < ($1.member, $1.activity) }
        // Removals first, to make room.
        if let gone = watches.filter({ desired[$0.key] == nil }).keys.min(by: order) { return .stop(gone) }
        let open = desired.filter { watches[$0.key]?.request != $0.value.request }
        guard let place = open.keys.min(by: order), let (rule, request) = open[place] else { return nil }
        return .start(request, key: "\(epoch)/\(request.activity)/\(rule.revision)")
    }

    /// Why activity-center refused to watch for a rule; nil where it did not refuse.
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

    /// Takes over what activity-center says it watches: what it lost is asked for again.
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
            // The old key would only repeat the old answer.
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

    // MARK: - Shields

    /// What a rule shields at this moment, and the delivery that led to it; nil while it shields nothing.
    static func shield(of rule: Rule, nowMs: Int64, _ words: NoticeWords) -> (
        want: ShieldWant, delivery: String
    )? {
        guard rule.spec.then == .shield, !rule.isPaused(nowMs: nowMs),
            let closed = RuleClosing.current(rule)
        else { return nil }
        let note = RuleNote.of(rule, closed, words)
        let want: ShieldWant =
            switch rule.spec.kind {
            case .goal: .shielding(rule.spec.opens ?? [], note)
            case .session: .shielding([], except: rule.spec.targets, note)
            case .downtime: .shielding([], except: rule.spec.opens ?? [], note)
            case .limit, .window, .break, .allow, .unknown: .shielding(rule.spec.targets, note)
            }
        return (want, closed.delivery)
    }

    /// The contents that the rules require of each place, and the delivery that led to them.
    ///
    /// If `one` is given, the result is valid only for the places of that rule.
    private func wanted(nowMs: Int64, of one: Rule?) -> [ShieldBook.Place: (
        want: ShieldWant?, delivery: String?
    )] {
        var wanted: [ShieldBook.Place: (ShieldWant?, String?)] = [:]
        // A removed rule leaves nothing behind; a rule that never shielded has no store.
        for place in shields.decisions.keys {
            switch place {
            case .store(let member, let id):
                wanted[place] = (rules[id]?.member == member ? .clear : nil, nil)
            case .allowed: wanted[place] = (nil, nil)
            }
        }
        var allowed: [String: [TokenItem]] = [:]
        for rule in rules.values {
            if rule.spec.kind == .allow, rule.isInEffect, !rule.isPaused(nowMs: nowMs) {
                allowed[rule.member, default: []] += rule.spec.targets
            }
            guard one.map({ $0.id == rule.id }) ?? true,
                let shield = Self.shield(of: rule, nowMs: nowMs, words)
            else { continue }
            // What was found under way had no callback.
            let delivery = shield.delivery.isEmpty ? nil : shield.delivery
            wanted[.store(member: rule.member, rule: rule.id)] = (shield.want, delivery)
        }
        for (member, items) in allowed { wanted[.allowed(member: member)] = (.allowing(items), nil) }
        return wanted
    }

    /// Updates the decisions of all rules, or only those of `rule` if it is given.
    ///
    /// A shield that goes up names the delivery that led to it; one that comes down names `cause`.
    package mutating func settleShields(nowMs: Int64, only rule: Rule? = nil, cause: String? = nil) {
        for (place, next) in wanted(nowMs: nowMs, of: rule) {
            if let rule {
                switch place {
                case .store(rule.member, rule.id): break
                case .allowed(rule.member) where rule.spec.kind == .allow: break
                default: continue
                }
            }
            guard shields.decisions[place]?.want != next.want else { continue }
            shields.decisions[place] = next.want.map {
                ShieldBook.Decision(want: $0, cause: next.delivery ?? cause)
            }
        }
    }

    /// Whether the rule's shield is up; nil for a rule that does not shield.
    package func isShielding(_ rule: Rule) -> Bool? {
        guard rule.spec.then == .shield else { return nil }
        guard case .settings = shields.decisions[.store(member: rule.member, rule: rule.id)]?.want else {
            return false
        }
        return true
    }

    /// The problem of a site that the rule's shield omits because its name is invalid.
    func shieldProblem(of rule: Rule) -> Problem? {
        guard rule.spec.then == .shield else { return nil }
        for item in rule.spec.targets + (rule.spec.opens ?? []) where item.kind == .domain {
            do { _ = try DomainName.checked(item.id, field: "/targets") } catch { return Problem(error) }
        }
        return nil
    }

    /// When the next pause ends that holds back a shield or a permission.
    package func nextShieldMs(afterMs nowMs: Int64) -> Int64? {
        rules.values.filter { rule in
            rule.pauseEnds != nil && rule.spec.kind == .allow
                || rule.pauseEnds != nil && rule.spec.then == .shield && RuleClosing.current(rule) != nil
        }.compactMap(\.pausedUntilMs).filter { $0 > nowMs }.min()
    }

    /// When to ask whether the next stretch has ended.
    package var nextCheckMs: Int64? {
        rules.values.filter { $0.ends == nil }.flatMap { ($0.closed ?? [:]).values }.map(\.endMs).min().map {
            $0 + RuleClosing.graceMs
        }
    }

    /// How long after a start to ask what is under way: callbacks on their way arrive before.
    package static let openAfterMs: Int64 = 10_000

    /// Takes up a stretch whose callback never came: an older version had it, or it could not be delivered.
    package mutating func open(_ found: RuleUnderWay) {
        let place = Place(member: found.member, activity: found.activity)
        // An activity of an older version of the rule says nothing about it.
        guard let (rule, request) = desired[place], watches[place]?.request == request else { return }
        let startMs = found.interval.startWallMs
        if rule.spec.kind == .goal, found.reachedMs != nil { rules[rule.id]?.metStartMs = startMs }
        guard rule.closed?[found.activity]?.startMs != startMs, rule.spec.kind != .break,
            rule.spec.kind != .limit || found.reachedMs != nil
        else { return }
        rules[rule.id]?.closed = rule.closed ?? [:]
        rules[rule.id]?.closed?[found.activity] = ClosedSpan(
            startMs: startMs,
            endMs: found.interval.endWallMs,
            delivery: "",
            thresholdMs: found.reachedMs,
            zone: found.interval.zone
        )
    }

    /// Corrects the stretches by what activity-center says is under way.
    package mutating func checkClosed(with actual: [ActivityView], nowMs: Int64) {
        var ongoing: [Place: IntervalSpan] = [:]
        for view in actual where view.app == BuiltInRules.app {
            guard let interval = view.interval, interval.isOngoing else { continue }
            ongoing[Place(member: view.member, activity: view.activity)] = IntervalSpan(
                startWallMs: interval.startWallMs,
                endWallMs: interval.endWallMs,
                zone: interval.zone
            )
        }
        for rule in rules.values where rule.closed != nil {
            let own = ongoing.filter { $0.key.member == rule.member }
            let byActivity = Dictionary(uniqueKeysWithValues: own.map { ($0.key.activity, $0.value) })
            rules[rule.id] = RuleClosing.checked(rule, byActivity, nowMs: nowMs)
        }
    }
}
