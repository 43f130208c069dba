package import STContracts
package import STPlatform

/// What shield-service should have for the rules, and what is to be asked of it next.
extension RuleBook {
    /// What a rule shields at this moment; nil while it shields nothing.
    ///
    /// A pure function of the rule and the moment.
    package static func shield(of rule: Rule, nowMs: Int64) -> (want: ShieldWant, delivery: String)? {
        guard rule.spec.then == .shield, !rule.isPaused(atWallMs: nowMs),
            let closed = RuleClosing.current(rule)
        else { return nil }
        let items = rule.spec.kind == .goal ? rule.spec.opens ?? [] : rule.spec.targets
        return (.shielding(items), closed.delivery)
    }

    /// What should be everywhere, and the delivery that led to it.
    private func wanted(nowMs: Int64) -> [ShieldBook.Place: (want: ShieldWant, delivery: String?)] {
        var wanted: [ShieldBook.Place: (ShieldWant, String?)] = [:]
        // A rule that is gone leaves nothing behind; one that never shielded has no store.
        for place in shields.asked.keys {
            switch place {
            case .store(let member, let id):
                wanted[place] = (rules[id]?.member == member ? .clear : .gone, nil)
            case .allowed: wanted[place] = (.items([]), nil)
            }
        }
        var allowed: [String: [TokenItem]] = [:]
        for rule in rules.values {
            if rule.spec.kind == .allow, rule.isInEffect, !rule.isPaused(atWallMs: nowMs) {
                allowed[rule.member, default: []] += rule.spec.targets
            }
            guard let shield = Self.shield(of: rule, nowMs: nowMs) else { continue }
            wanted[.store(member: rule.member, rule: rule.id)] = (shield.want, shield.delivery)
        }
        for (member, items) in allowed { wanted[.allowed(member: member)] = (.allowing(items), nil) }
        return wanted
    }

    /// Notes down what must be asked so that all is as it should be now; of one rule alone where one is named.
    ///
    /// What is put up names the delivery that led to it; what is taken down `cause`.
    package mutating func settleShields(nowMs: Int64, only rule: Rule? = nil, cause: String? = nil) {
        for (place, next) in wanted(nowMs: nowMs).sorted(by: { $0.key < $1.key }) {
            if let rule {
                switch place {
                case .store(rule.member, rule.id): break
                case .allowed(rule.member) where rule.spec.kind == .allow: break
                default: continue
                }
            }
            guard shields.asked[place]?.want != next.want else { continue }
            lastRevision += 1
            shields.asked[place] = ShieldBook.Asked(
                want: next.want,
                key: "rule-shield/\(lastRevision)",
                cause: next.delivery ?? cause
            )
        }
    }

    /// Shield-service has answered; nil is for an answer to something that is wanted no more.
    package mutating func shieldAnswered(key: String, problem: Problem?) {
        guard let (place, asked) = shields.asked.first(where: { $0.value.key == key }) else { return }
        // What is gone needs no place here any more.
        if problem == nil, asked.want == .gone || asked.want == .items([]) {
            shields.asked[place] = nil
            return
        }
        shields.asked[place]?.isConfirmed = problem == nil
        shields.asked[place]?.problem = problem
    }

    /// What is to be asked still, in order.
    package var openShields: [RuleShieldAsk] {
        shields.asked.filter { !$0.value.isConfirmed && $0.value.problem == nil }
            .sorted { $0.key < $1.key }.map { RuleShieldAsk($0.key, $0.value) }
    }

    /// Whether its shield is up; nil for a rule that has none.
    package func isShielding(_ rule: Rule) -> Bool? {
        guard rule.spec.then == .shield else { return nil }
        guard let asked = shields.asked[.store(member: rule.member, rule: rule.id)], asked.isConfirmed,
            case .settings = asked.want
        else { return false }
        return true
    }

    package func shieldProblem(of rule: Rule) -> Problem? {
        let place: ShieldBook.Place =
            rule.spec.kind == .allow
            ? .allowed(member: rule.member) : .store(member: rule.member, rule: rule.id)
        return shields.asked[place]?.problem
    }

    /// When a pause ends behind which a shield waits.
    package func nextShieldMs(afterMs nowMs: Int64) -> Int64? {
        rules.values.filter { rule in
            rule.spec.kind == .allow || rule.spec.then == .shield && RuleClosing.current(rule) != nil
        }.compactMap(\.pausedUntilMs).filter { $0 > nowMs }.min()
    }

    /// When to ask whether what should have ended has.
    package var nextCheckMs: Int64? {
        rules.values.flatMap { ($0.closed ?? [:]).values }.map(\.endMs).min().map {
            $0 + RuleClosing.graceMs
        }
    }

    /// Takes over what activity-center says goes on.
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
