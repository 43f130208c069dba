import Glibc
import STContracts
import STDesktopKit
import STPlatform
import STTestSupport

/// What people do in a house on sway: look, limit an app, ask for more.
extension SwayHouse {
    static let isSoak = ProcessEnvironment.current()["SCREENTIME_SOAK"] != nil
    /// Where pictures are kept for people to look at; nil: they are not kept.
    static let pictures = ProcessEnvironment.current()["SCREENTIME_PICTURES"]
    static let mousepad = "org.xfce.mousepad"

    // MARK: - What is seen

    /// Waits until the agent knows that the app is in front.
    func inFront(_ app: String) async throws {
        try await eventually(within: .seconds(60), "\(app) is in front") {
            let status = try ask(DesktopStatus.self, Empty())
            guard status.app == app else { throw NotYet("\(status)") }
        }
    }

    /// Every row of the ledger, the open ones last.
    func ledger() throws -> [Segment] {
        var rows: [Segment] = []
        var next: String?
        repeat {
            let page = try ask(UsageList.self, .init(next: next))
            rows += page.rows
            next = page.next
        } while next != nil
        return rows + (try ask(UsageNow.self, Empty()).open)
    }

    // MARK: - Rules and requests

    @discardableResult
    func limit(_ app: String, ms: Int64, warnMs: Int64? = nil, say: String? = nil) async throws -> RuleView {
        let spec = RuleSpec(
            kind: .limit,
            targets: [TokenItem(kind: .application, id: app)],
            durationMs: ms,
            then: .shield,
            warnMs: warnMs,
            say: say
        )
        let rule = try ask(RuleAdd.self, spec).rule
        try await eventually(within: .seconds(20), "the rule is watched") {
            let rules = try ask(RuleList.self, .init()).rules
            guard rules.first(where: { $0.id == rule.id })?.isWatched == true else {
                throw NotYet("\(rules)")
            }
        }
        return rule
    }

    /// One's own rule from now on: what is asked for is granted at once.
    func grantAtOnce(most: Int64 = 3_600_000) throws {
        let member = try ask(DesktopStatus.self, Empty()).member ?? ""
        let rule = RequestRule(member: member, delayMs: 0, growthPercent: 0, mostMs: most, aDay: 50)
        if let refusal = try ask(RequestRuleSet.self, .init(rule: rule)).refusal { throw refusal }
    }

    func grant(_ app: String, ms: Int64 = 900_000) throws {
        let items = [TokenItem(kind: .application, id: app)]
        let request = try ask(RequestAdd.self, .init(items: items, durationMs: ms)).request
        guard request.state == .granted else { throw NotYet("\(request)") }
    }

    // MARK: - Shields

    func shield(_ app: String) throws -> ScreenShield? {
        try ask(DesktopShields.self, Empty()).shields.first { $0.app == app }
    }

    @discardableResult
    func reaches(_ stage: ScreenShieldStage, _ app: String, within limit: Duration = .seconds(60))
        async throws
        -> ScreenShield
    {
        try await eventually(within: limit, "\(app) is \(stage)") {
            let found = try shield(app)
            guard let found, found.stage == stage else { throw NotYet("\(String(describing: found))") }
            return found
        }
    }

    /// Covered, and it is known why no more than that.
    func staysCovered(_ app: String) async throws {
        try await eventually(within: .seconds(60), "\(app) is covered and not paused") {
            let found = try shield(app)
            guard found?.stage == .covered, found?.notPaused != nil else {
                throw NotYet("\(String(describing: found))")
            }
        }
    }

    func isLifted(_ app: String) async throws {
        try await eventually(within: .seconds(20), "nothing is over \(app)") {
            if let found = try shield(app) { throw NotYet("\(found)") }
        }
    }

    /// As the kernel says it of its cgroup, or of the process where there is none.
    func isStill(_ pid: Int32, _ folder: String?) -> Bool {
        if let folder, let ground { return ground.isFrozen(folder) }
        let text = ScratchDirectory.text("/proc/\(pid)/stat")
        return text.lastIndex(of: ")").flatMap { text[$0...].dropFirst(2).first } == "T"
    }

    // MARK: - Pictures

    func colour(_ place: (x: Int, y: Int)) throws -> UInt32 {
        try sway.colour(of: sway.picture("look"), x: place.x, y: place.y)
    }

    /// Kept where pictures are wanted; how many colours it has: a bare pane has few.
    @discardableResult
    func picture(_ name: String) throws -> Int {
        let path = try sway.picture(name)
        if let folder = Self.pictures {
            mkdir(folder, 0o755)
            let copy = SpawnPlan(executable: "/bin/cp", arguments: ["--", path, "\(folder)/\(name).png"])
            _ = try SpawnedProcess(copy).wait(deadlineMs: 20_000)
        }
        let text = try sway.output("/usr/bin/convert", [path, "-format", "%k", "info:"])
        return Int(text.prefix { $0.isNumber }) ?? 0
    }
}
