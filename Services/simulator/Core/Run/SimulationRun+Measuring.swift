import STContracts
import STDomain
import STPlatform

/// Expectations about what has counted and what is shielded, looked at while the scenario is played.
extension SimulationRun {
    func planMeasures() {
        for (index, expectation) in scenario.expectations.enumerated() where expectation.isMeasured {
            guard let civil = expectation.at else { continue }
            let zone = expectation.zone ?? scenario.zone
            guard let rules = ZoneRules.of(zone) else { continue }
            checkpoints.append((civil.wallMs(in: rules, after: 0), index))
        }
        checkpoints.sort { ($0.wallMs, $0.index) < ($1.wallMs, $1.index) }
    }

    /// Those whose moment the device's clock has reached.
    func measureDue() async throws {
        while let first = checkpoints.first, first.wallMs <= time.wallMs {
            checkpoints.removeFirst()
            try await measure(first.index)
        }
    }

    /// Those of no certain moment, and those that the clock never came to.
    func measureRest() async throws {
        let left = checkpoints
        checkpoints = []
        for entry in left {
            let check = ExpectationCheck([], zone: try ScenarioReader.zone(scenario.zone, "/zone"))
            measured[entry.index] = check.verdict(
                scenario.expectations[entry.index],
                measuredMs: nil,
                wantedMs: 0,
                problem: "the clock of the device never showed that"
            )
        }
        for (index, expectation) in scenario.expectations.enumerated()
        where expectation.isMeasured && measured[index] == nil { try await measure(index) }
    }

    private func measure(_ index: Int) async throws {
        let expectation = scenario.expectations[index]
        let check = ExpectationCheck([], zone: try ScenarioReader.zone(scenario.zone, "/zone"))
        do {
            if let instead = try await shieldFinding(expectation) {
                measured[index] = check.verdict(expectation, instead: instead.text)
                return
            }
            let (found, wanted) = try await found(expectation)
            measured[index] = check.verdict(expectation, measuredMs: found, wantedMs: wanted, problem: nil)
        } catch let problem as Problem {
            measured[index] = check.verdict(
                expectation,
                measuredMs: nil,
                wantedMs: 0,
                problem: problem.message
            )
        }
    }

    private func found(_ expectation: ScenarioExpectation) async throws -> (Int64, wanted: Int64) {
        switch expectation.kind {
        case .used(let ms, let app, let member, let activity, let event):
            return (try await counted(app, member, activity, event), ms)
        case .ledger(let ms, let member, let app, let site, let presence, let isShielded):
            let wanted = LedgerSum(
                member: member.map { timeline.actual($0) },
                app: app,
                site: site,
                presence: presence,
                isShielded: isShielded,
                from: bound(expectation.from, expectation.zone),
                to: bound(expectation.to, expectation.zone)
            )
            return (try await sum(wanted), ms)
        case .callback, .notification, .shielded, .shieldShown, .store: return (0, 0)
        }
    }

    private func bound(_ civil: CivilText?, _ zone: String?) -> Int64? {
        guard let civil, let rules = ZoneRules.of(zone ?? scenario.zone) else { return nil }
        return civil.wallMs(in: rules, after: 0)
    }

    /// What has counted towards an event of an activity, or towards a rule.
    private func counted(_ app: String?, _ member: String?, _ activity: String, _ event: String) async throws
        -> Int64
    {
        let rule = app == nil ? timeline.ruleID(named: activity) : nil
        let request = ActivityExplain.Request(
            app: rule == nil ? app ?? SimulatedApp.id : BuiltInRules.app,
            member: member.map { timeline.actual($0) },
            activity: rule ?? activity
        )
        let found = try await backend.call(ActivityExplain.self, request).activities.first?.events ?? []
        let named = event.isEmpty ? found : found.filter { $0.event == event }
        guard let first = named.first, named.count == 1 else {
            let names = found.map(\.event).joined(separator: ", ")
            throw Problem(
                "simulation.no_event",
                names.isEmpty
                    ? "\(activity) is not watched then, or has no events"
                    : "the events of \(activity) are: \(names)"
            )
        }
        return first.countedMs
    }

    private func sum(_ wanted: LedgerSum) async throws -> Int64 {
        var total: Int64 = 0
        var next: String?
        repeat {
            let page = try await backend.call(UsageList.self, .init(next: next))
            total += page.rows.reduce(0) { $0 + wanted.part(of: $1) }
            next = page.next
        } while next != nil
        return try await backend.call(UsageNow.self, Empty()).open.reduce(total) { $0 + wanted.part(of: $1) }
    }
}

extension ScenarioExpectation {
    var isMeasured: Bool {
        switch kind {
        case .used, .ledger, .shielded, .store: true
        case .callback, .notification, .shieldShown: false
        }
    }
}

/// Which rows of the ledger are added up.
private struct LedgerSum {
    var member: String?
    var app: String?
    var site: String?
    var presence: Presence
    var isShielded: Bool
    var from: Int64?
    var to: Int64?

    func part(of row: Segment) -> Int64 {
        guard row.presence == presence, (row.shielded == true) == isShielded,
            member ?? row.member == row.member, app ?? row.app == row.app,
            site ?? row.domain == row.domain
        else { return 0 }
        let start = max(row.startWallMs, from ?? .min)
        let end = min(row.startWallMs + row.durationMs, to ?? .max)
        return max(0, end - start)
    }
}
