import STContracts
import STDomain
import STPlatform

/// Measures expectations about counted use, shields and stores while the scenario is simulated.
final class ExpectationMeasures {
    private let world: SimulationWorld
    private let desktop: SimulatedDesktop
    private let check: ExpectationCheck
    private var verdicts: [Int: SimulationOutcome.Verdict] = [:]
    /// The expectations with a time, ordered by that time on the device's clock.
    private var checkpoints: [(wall: WallTime, index: Int)] = []

    init(_ world: SimulationWorld, _ desktop: SimulatedDesktop) throws {
        self.world = world
        self.desktop = desktop
        let scenario = world.scenario
        check = ExpectationCheck([], zone: try ScenarioFields.zone(scenario.zone, "/zone"))
        for (index, expectation) in scenario.expectations.enumerated() where expectation.isMeasured {
            guard let civil = expectation.at, let rules = ZoneRules.load(expectation.zone ?? scenario.zone)
            else {
                continue
            }
            checkpoints.append((civil.wall(in: rules), index))
        }
        checkpoints.sort { ($0.wall, $0.index) < ($1.wall, $1.index) }
    }

    var next: WallTime? { checkpoints.first?.wall }

    func verdict(_ index: Int) -> SimulationOutcome.Verdict? { verdicts[index] }

    /// Measures the expectations whose time the device's clock has reached.
    func measureDue() async throws {
        while let first = checkpoints.first, first.wall <= world.time.wall {
            checkpoints.removeFirst()
            try await measure(first.index)
        }
    }

    /// Measures the expectations without a time. Expectations whose time the clock never reached are not met.
    func measureRest() async throws {
        let expectations = world.scenario.expectations
        for (_, index) in checkpoints {
            let instead = "the device's clock never showed that"
            verdicts[index] = check.verdict(expectations[index], instead: instead)
        }
        checkpoints = []
        for (index, expectation) in expectations.enumerated()
        where expectation.isMeasured && verdicts[index] == nil { try await measure(index) }
    }

    private func measure(_ index: Int) async throws {
        let expectation = world.scenario.expectations[index]
        let instead: String?
        do {
            instead = try await difference(expectation)
        } catch let problem as Problem {
            instead = problem.message
        }
        verdicts[index] = check.verdict(expectation, instead: instead)
    }

    /// Returns the difference from an expectation, as text. Returns `nil` if the expectation is met.
    private func difference(_ expectation: ScenarioExpectation) async throws -> String? {
        switch expectation.kind {
        case .used(let length, let app, let member, let activity, let event):
            return Self.difference(
                try await counted(app, member: member, activity: activity, event: event),
                length
            )
        case .ledger(let length, let member, let app, let site, let presence, let isShielded):
            let wanted = LedgerSum(
                member: member.map { world.actual($0) },
                app: app,
                site: site,
                presence: presence,
                isShielded: isShielded,
                from: bound(expectation.from, expectation.zone),
                to: bound(expectation.to, expectation.zone)
            )
            return Self.difference(try await sum(wanted), length)
        case .shielded(let shield, let isWanted): return try await difference(shield, isWanted)
        case .store(let store): return try await difference(store)
        case .callback, .notification, .shieldShown: return nil
        }
    }

    // MARK: - Counted use

    private static func difference(_ found: Duration, _ wanted: Duration) -> String? {
        found == wanted ? nil : "it is \(TextFormat.exactDuration(ms: found.ms))"
    }

    private func bound(_ civil: CivilText?, _ zone: String?) -> WallTime? {
        guard let civil, let rules = ZoneRules.load(zone ?? world.scenario.zone) else { return nil }
        return civil.wall(in: rules)
    }

    /// Returns the use that has counted towards an event of an activity, or towards a rule.
    private func counted(_ app: String?, member: String?, activity: String, event: String) async throws
        -> Duration
    {
        let rule = app == nil ? world.timeline.ruleID(named: activity) : nil
        let request = ActivityExplain.Request(
            app: rule == nil ? app ?? SimulatedApp.id : BuiltInRules.app,
            member: member.map { world.actual($0) },
            activity: rule ?? activity
        )
        let found = try await world.call(ActivityExplain.self, request).activities.first?.events ?? []
        let named = event.isEmpty ? found : found.filter { $0.event == event }
        guard let first = named.first, named.count == 1 else {
            let names = found.map(\.event).joined(separator: ", ")
            throw Problem(
                "simulation.no_event",
                text: names.isEmpty
                    ? Message(
                        "simulation.no_event",
                        "\(activity, "activity") is not monitored at that time, or has no events"
                    )
                    : Message(
                        "simulation.no_event.the-events-are",
                        "the events of \(activity, "activity") are: \(names, "events")"
                    )
            )
        }
        return .milliseconds(first.countedMs)
    }

    private func sum(_ wanted: LedgerSum) async throws -> Duration {
        var total = Duration.zero
        var next: String?
        repeat {
            let page = try await world.call(UsageList.self, .init(next: next))
            total += page.rows.reduce(.zero) { $0 + wanted.part(of: $1) }
            next = page.next
        } while next != nil
        return try await world.call(UsageNow.self, Empty()).open.reduce(total) { $0 + wanted.part(of: $1) }
    }

    // MARK: - Shields

    private func difference(_ shield: ScenarioExpectation.Shield, _ isWanted: Bool) async throws -> String? {
        let (all, reason) = try await shielding(shield)
        let found = all.filter { shield.by == nil || $0 == shield.by }
        if found.isEmpty != isWanted { return nil }
        if isWanted, all.isEmpty { return reason }
        return "it is shielded by \((isWanted ? all : found).joined(separator: ", "))"
    }

    /// Returns the names of the stores that shield something. If there are none, it also returns the reason.
    private func shielding(_ shield: ScenarioExpectation.Shield) async throws -> ([String], reason: String) {
        let member = world.actual(shield.member)
        if shield.item.kind == .category {
            let stores = desktop.policy.shielding(category: shield.item.id, of: member)
            return (stores.map { world.timeline.storeName($0.app, $0.store) }, "no store shields it")
        }
        let isSite = shield.item.kind == .domain
        let subject = ShieldSubject(
            app: isSite ? nil : shield.item.id,
            domain: isSite ? shield.item.id : shield.site
        )
        let decision = try await world.call(ShieldDecide.self, .init(member: member, subject: subject))
            .decision
        let names = decision.causes.map { world.timeline.storeName($0.app, $0.store) }
        if decision.isShielded { return (names, "") }
        if decision.isAlwaysAllowed { return ([], "it is always allowed") }
        if decision.grant != nil {
            return ([], "more time was granted for what \(names.joined(separator: ", ")) shields")
        }
        return ([], "no store shields it")
    }

    private func difference(_ store: ScenarioExpectation.Store) async throws -> String? {
        let rule = store.app == nil ? world.timeline.ruleID(named: store.name) : nil
        guard let app = store.app ?? rule.map({ _ in BuiltInRules.app }) else {
            return "no rule is called \(store.name)"
        }
        let request = SettingsGet.Request(
            app: app,
            member: world.actual(store.member),
            store: rule ?? store.name
        )
        let held = try await world.call(SettingsGet.self, request).settings
        let looked = store.setting.map { name in held.filter { $0.key == name } } ?? held
        if looked.isEmpty == store.isEmpty { return nil }
        let names = held.keys.sorted().joined(separator: ", ")
        return names.isEmpty ? "it is empty" : "it holds \(names)"
    }
}

extension ScenarioExpectation {
    /// True if the expectation concerns a state, and false if it concerns an event.
    fileprivate var isMeasured: Bool {
        switch kind {
        case .used, .ledger, .shielded, .store: true
        case .callback, .notification, .shieldShown: false
        }
    }
}

/// A filter for the rows of the ledger to add up.
private struct LedgerSum {
    var member: String?
    var app: String?
    var site: String?
    var presence: Presence
    var isShielded: Bool
    var from: WallTime?
    var to: WallTime?

    func part(of row: Segment) -> Duration {
        guard row.presence == presence, (row.shielded == true) == isShielded,
            member ?? row.member == row.member, app ?? row.app == row.app,
            site ?? row.domain == row.domain
        else { return .zero }
        let start = WallTime(ms: row.startWallMs)
        let end = min(start + .milliseconds(row.durationMs), to ?? .distantFuture)
        return max(.zero, end - max(start, from ?? start))
    }
}
