import STContracts
import STDesktopKit
import STPlatform
import STTestKit
import STTestSupport

/// The whole system on a real desktop, with the requests and actions common to all desktops.
protocol House: AnyObject {
    func ask<R: Route>(_ route: R.Type, _ request: R.Request) async throws -> R.Reply

    func noCoverIsLeft() throws
}

extension House {
    /// Provides a folder, buses, and a logind with one session, while `body` runs.
    static func ground<Result>(
        _ session: String,
        uid: UInt32,
        type: String,
        _ body: (ScratchDirectory, DBusPair, LogindMock) async throws -> Result
    ) async throws -> Result {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let buses = try DBusPair(scratch)
        defer { buses.stop() }
        let logind = try await LogindMock(buses.system, scratch)
        defer { logind.kill() }
        try await logind.addSession(session, uid: uid, type: type)
        return try await body(scratch, buses, logind)
    }

    /// True for full figures, which need a machine without other load.
    static var isSoak: Bool { TestScale.isSoak }

    /// The folder for pictures for people. `nil` if none are kept.
    static var pictures: String? { ProcessEnvironment.current()["SCREENTIME_PICTURES"] }

    static var mousepad: String { "org.xfce.mousepad" }

    // MARK: - What is seen

    /// Waits until the agent reports the app as the foreground app.
    func inFront(_ app: String) async throws {
        try await eventually(within: .seconds(60), "\(app) is in front") {
            let status = try await ask(DesktopStatus.self, Empty())
            guard status.app == app else { throw NotYet("\(status)") }
        }
    }

    /// Returns every row of the ledger, the open ones last.
    func ledger() async throws -> [Segment] {
        // Read the open ones first: a row that closes meanwhile is then in both lists, and not in neither.
        let open = try await ask(UsageNow.self, Empty()).open
        var rows: [Segment] = []
        var next: String?
        repeat {
            let page = try await ask(UsageList.self, .init(next: next))
            rows += page.rows
            next = page.next
        } while next != nil
        let closed = Set(rows.map(\.segment))
        // `usage.now` sorts by the text of ids, so the tenth comes before the second.
        return (rows + open.filter { !closed.contains($0.segment) }).sorted {
            $0.startBootMs < $1.startBootMs
        }
    }

    // MARK: - Rules and requests

    @discardableResult
    func limit(
        _ app: String,
        ms: Int64 = 1_000,
        name: String? = nil,
        warnMs: Int64? = nil,
        say: String? = nil
    ) async throws -> RuleView {
        let spec = RuleSpec(
            kind: .limit,
            name: name,
            targets: [TokenItem(kind: .application, id: app)],
            durationMs: ms,
            then: .shield,
            warnMs: warnMs,
            say: say
        )
        let rule = try await ask(RuleAdd.self, .init(spec)).rule
        try await eventually(within: .seconds(20), "the rule is watched") {
            let rules = try await ask(RuleList.self, .init()).rules
            guard rules.first(where: { $0.id == rule.id })?.isWatched == true else {
                throw NotYet("\(rules)")
            }
        }
        return rule
    }

    /// Makes the person's own rule grant requests without a delay.
    func grantAtOnce(most: Int64 = 3_600_000) async throws {
        let member = try await ask(DesktopStatus.self, Empty()).member ?? ""
        let rule = RequestRule(member: member, delayMs: 0, growthPercent: 0, mostMs: most, aDay: 50)
        let reply = try await ask(RequestRuleSet.self, .init(rule: rule))
        if let refusal = reply.refusal { throw refusal }
        guard try await ask(RequestRuleShow.self, .init(member: member)).rule == rule else {
            throw NotYet("the rule waits until \(String(describing: reply.fromWallMs))")
        }
    }

    @discardableResult
    func grant(_ app: String, ms: Int64 = 900_000) async throws -> RequestView {
        let items = [TokenItem(kind: .application, id: app)]
        let request = try await ask(RequestAdd.self, .init(items: items, durationMs: ms)).request
        guard request.state == .granted else { throw NotYet("\(request)") }
        return request
    }

    // MARK: - Shields

    func shield(_ app: String) async throws -> ScreenShield? {
        try await ask(DesktopShields.self, Empty()).shields.first { $0.app == app }
    }

    @discardableResult
    func reaches(_ stage: ScreenShieldStage, _ app: String, within limit: Duration = .seconds(60))
        async throws -> ScreenShield
    {
        try await eventually(within: limit, "\(app) is \(stage)") {
            let found = try await shield(app)
            guard let found, found.stage == stage else { throw NotYet("\(String(describing: found))") }
            return found
        }
    }

    /// Waits until the app is covered, not paused, and has a reason for that.
    func staysCovered(_ app: String) async throws {
        try await eventually(within: .seconds(60), "\(app) is covered and not paused") {
            let found = try await shield(app)
            guard found?.stage == .covered, found?.notPaused != nil else {
                throw NotYet("\(String(describing: found))")
            }
        }
    }

    func isLifted(_ app: String) async throws {
        try await eventually(within: .seconds(20), "nothing is over \(app)") {
            if let found = try await shield(app) { throw NotYet("\(found)") }
        }
        try noCoverIsLeft()
    }

    func noCoverIsLeft() throws {}
}
