import STContracts
import STPlatform
import STSimulation
import STTestKit
import STTestSupport
import STZeroMQ

/// Real services on one virtual clock.
enum VirtualSystem {
    /// 2026-03-01 00:00 UTC.
    static let startMs: Int64 = 1_772_323_200_000

    static func run(
        services: [ServiceName] = ServiceName.all,
        idleTimeout: Duration = .seconds(60),
        isolation: isolated (any Actor)? = #isolation,
        _ body: (TestSystem, SystemClock) async throws -> Void
    ) async throws {
        let scratch = try ScratchDirectory()
        let face = ClockState(
            reading: TimeReading(wallMs: startMs, bootMs: 600_000, monotonicMs: 600_000),
            zone: "Europe/Berlin",
            bootID: "virtual"
        )
        let page = try ClockPage(creating: scratch.file("clock"), face)
        let options = TestSystemOptions(environment: [ClockPage.variable: page.path])
        try await TestSystem.run(services: services, options: options) { system in
            let clock = SystemClock(
                page: page,
                client: system.client,
                services: services,
                idleTimeout: idleTimeout
            )
            try await clock.waitUntilIdle()
            try await body(system, clock)
        }
    }
}

extension SystemClock {
    /// Lets time pass on every clock.
    func pass(ms: Int64) async throws {
        var face = face
        face.reading.wallMs += ms
        face.reading.bootMs += ms
        face.reading.monotonicMs += ms
        try await move(to: face)
    }
}

/// A day with built-in rules on real processes and a virtual clock, in Berlin on Sunday, 2026-03-01.
struct RuleStory {
    let system: TestSystem
    let clock: SystemClock
    /// Called after every moment of the day.
    var disturb: (TestSystem) throws -> Void = { _ in }

    /// Time of that day in Berlin, one hour ahead of UTC.
    static func wallMs(_ hour: Int, _ minute: Int = 0, second: Int = 0) -> Int64 {
        VirtualSystem.startMs + Int64(((hour - 1) * 60 + minute) * 60 + second) * 1000
    }

    static func add(_ spec: RuleSpec, _ system: TestSystem) async throws -> RuleView {
        try await system.client.call(RuleAdd.self, .init(spec)).rule
    }

    static let chess = RuleSpec(
        kind: .limit,
        targets: [TokenItem(kind: .application, id: "org.example.chess")],
        durationMs: 600_000,
        warnMs: 120_000,
        say: "Enough, after {used} of {limit}"
    )

    static let night = RuleSpec(
        kind: .downtime,
        window: RuleWindow(from: "21:30", to: "07:00"),
        warnMs: 600_000
    )

    func play(_ steps: [(app: String?, minutes: Int64)]) async throws {
        let owner = try await system.client.call(MemberList.self, Empty()).members[0].name
        _ = try await system.client.call(
            DesktopPlay.self,
            .init(member: owner, steps: steps.map { .init(app: $0.app, forMs: $0.minutes * 60_000) })
        )
        try await clock.waitUntilIdle()
    }

    /// Advances to `wallMs`, stopping at each moment for which a service waits.
    func go(to wallMs: Int64) async throws {
        while let next = await next(), next < wallMs {
            try await clock.pass(ms: max(1, next - clock.face.reading.wallMs))
            try disturb(system)
        }
        try await clock.pass(ms: wallMs - clock.face.reading.wallMs)
        try disturb(system)
        try system.waitUntilReady()
        try await clock.waitUntilIdle()
    }

    private func next() async -> Int64? {
        let face = await clock.face
        let due = await clock.nextDue
        let boot = due.bootMs.map { $0 - face.reading.bootMs + face.reading.wallMs }
        return [due.wallMs, boot].compactMap { $0 }.min()
    }

    /// Notifications in the form `12:25:00 title | body`, oldest first.
    func told() async throws -> [String] {
        let list = try await system.client.call(NotifyList.self, .init()).notifications.reversed()
        return list.map { one in
            let ms = (RFC3339.wallMs(one.postedAt) ?? 0) + 3_600_000
            let seconds = ms / 1000 % 86_400
            let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            return "\(time.joined(separator: ":")) \(one.title) | \(one.body)"
        }
    }

    /// Activities that activity-center monitors for rules, and the rules for which it should monitor.
    func watched() async throws -> (activities: [String], rules: [String], allConfirmed: Bool) {
        let list = try await system.client.call(ActivityList.self, .init(app: BuiltInRules.app)).activities
        let rules = try await system.client.call(RuleList.self, .init()).rules
        return (list.map(\.activity).sorted(), rules.map(\.id).sorted(), rules.allSatisfy(\.isWatched))
    }
}
