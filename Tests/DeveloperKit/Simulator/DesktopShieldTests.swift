import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STSimulation

@Suite("The desktop of a simulation")
struct DesktopShieldTests {
    /// 2026-05-04 10:00 UTC.
    private static let startMs: Int64 = 1_777_888_800_000

    private static func at(_ minute: Double) -> Int64 { startMs + Int64(minute * 60_000) }

    private static func shield(_ app: String, from: Double, to: Double, store: String = "store")
        -> ScriptedShields.Shield
    {
        .init(app: app, fromWallMs: at(from), toWallMs: at(to), store: store)
    }

    private func play(
        _ shields: [ScriptedShields.Shield],
        steps: String,
        expect: String = "",
        more: String = ""
    ) async throws -> (outcome: SimulationOutcome, backend: ScriptedShields) {
        let scenario = try ScenarioFiles.read(
            text: """
                {"name": "n", "zone": "UTC", "start": "2026-05-04 10:00", \(more)
                 "steps": [\(steps)], "expect": [\(expect)]}
                """
        )
        let backend = try ScriptedShields(shields)
        let outcome = try await SimulationRun(scenario, on: backend).run()
        return (outcome, backend)
    }

    private func story(_ outcome: SimulationOutcome) -> [String] {
        outcome.timeline.filter { $0.kind != .step && $0.kind != .occasion(.intervalStarted) }.map {
            let minute = Double($0.at.ms - Self.startMs) / 60_000
            let what = $0.subject.map { PolicyText.text($0) } ?? $0.text ?? ""
            return "\(minute) \($0.method ?? "\($0.kind)") \(what)"
        }
    }

    @Test("The desktop shows and removes a shield at the exact moment during usage")
    func middle() async throws {
        let (outcome, backend) = try await play(
            [Self.shield("game", from: 20, to: 30.5)],
            steps: #"{"use": "game", "for": "45m"}"#,
            expect: """
                {"ledger": "34m30s", "app": "game"}, {"ledger": "10m30s", "app": "game", "presence": "shielded"},
                {"not_shielded": "game", "at": "2026-05-04 10:19:59.999"},
                {"shielded": "game", "at": "2026-05-04 10:20", "by": "app/store"},
                {"not_shielded": "game", "at": "2026-05-04 10:25", "by": "app/other"},
                {"shielded": "game", "at": "2026-05-04 10:30:29.999"},
                {"not_shielded": "game", "at": "2026-05-04 10:30:30"},
                {"not_shielded": "category:games", "at": "2026-05-04 10:25"},
                {"shield_shown": "game", "times": 1, "at": "2026-05-04 10:20", "by": "app/store"},
                {"shield_shown": "category:games", "times": 1},
                {"no_shield_shown": "site:game"}, {"no_shield_shown": "game", "by": "app/other"}
                """
        )

        #expect(outcome.isMet, "\(OutcomeText(outcome).text)")
        #expect(
            story(outcome) == [
                "20.0 store shield up: game", "20.0 shield game", "30.5 store shield down: game",
            ]
        )
        #expect(await backend.shown == ["game \(Self.at(20)) desktop-agent/simulation-1/4"])
    }

    @Test("The desktop shows a shield each time a member switches to a shielded app, and not after idleness")
    func turning() async throws {
        let uses = (0..<60).map { #"{"use": "work-\#($0)", "for": "10s"}"# }.joined(separator: ",")
        let (outcome, _) = try await play(
            [Self.shield("game", from: 1, to: 60)],
            steps: """
                \(uses), {"use": "game", "for": "2m"}, {"idle": "1m"}, {"use": "game", "for": "1m"},
                {"use": "mail", "for": "1m"}, {"use": "game", "site": "a.example", "for": "1m"}
                """,
            expect: """
                {"shield_shown": "game", "times": 3}, {"shield_shown": "game", "at": "2026-05-04 10:10"},
                {"shield_shown": "game", "at": "2026-05-04 10:15"},
                {"shield_shown": "site:a.example", "times": 1}, {"ledger": "0s", "app": "game"},
                {"ledger": "4m", "app": "game", "presence": "shielded"}
                """
        )

        // A member who was idle in front of a shield does not see it appear again.
        #expect(outcome.verdicts.map(\.isMet) == [false, true, true, true, true, true])
        #expect(outcome.verdicts[0].actual?.hasPrefix("it came 2 times") == true)
    }

    @Test("Shielded time does not count towards a threshold")
    func counting() async throws {
        let (outcome, _) = try await play(
            [Self.shield("game", from: 20, to: 30)],
            steps: #"{"use": "game", "for": "45m"}"#,
            expect: """
                {"callback": "eventDidReachThreshold", "at": "2026-05-04 10:35"},
                {"used": "20m", "activity": "day", "at": "2026-05-04 10:29"}
                """,
            more: """
                "activities": [{"name": "day", "from": "09:00", "to": "12:00",
                                "events": [{"name": "e", "of": ["game"], "after": "25m"}]}],
                """
        )

        #expect(outcome.isMet, "\(OutcomeText(outcome).text)")
    }

    @Test("A blind desktop shows no shield, and shows it when the blindness ends")
    func blind() async throws {
        let (outcome, backend) = try await play(
            [Self.shield("game", from: 20, to: 50)],
            steps: #"{"at": "10:10", "blind": "20m"}, {"at": "10:10", "use": "game", "for": "45m"}"#
        )

        #expect(outcome.timeline.filter { $0.kind == .shield }.map(\.at.ms) == [Self.at(30)])
        #expect(await backend.shown.count == 1)
    }

    @Test("After a sleep the desktop shows the shield again and does not count the sleep")
    func sleep() async throws {
        let (outcome, _) = try await play(
            [Self.shield("game", from: 20, to: 90)],
            steps: #"{"use": "game", "for": "80m"}, {"at": "10:10", "sleep": "30m", "told": false}"#,
            expect: """
                {"ledger": "30m", "presence": "suspended"}, {"ledger": "10m", "app": "game"},
                {"shield_shown": "game", "at": "2026-05-04 10:40", "times": 1},
                {"ledger": "40m", "app": "game", "presence": "shielded"}
                """
        )

        #expect(outcome.isMet, "\(OutcomeText(outcome).text)")
    }

    @Test("A button of a shield can close the app, and presses are numbered")
    func buttons() async throws {
        let (outcome, backend) = try await play(
            [Self.shield("game", from: 20, to: 50)],
            steps: """
                {"at": "10:10", "use": "game", "for": "45m"}, {"at": "10:21", "press": "secondary"},
                {"at": "10:22", "press": "primary"}, {"at": "10:23", "press": "primary", "refused": "simulation.no_shield"}
                """,
            expect: """
                {"ledger": "10m", "app": "game"}, {"ledger": "2m", "app": "game", "presence": "shielded"},
                {"ledger": "43m"}
                """
        )

        #expect(await backend.presses == [1, 2])
        #expect(outcome.isMet, "\(OutcomeText(outcome).text)")
        #expect(OutcomeText(outcome).text.contains("me  button of game, primary: close"))
    }

    @Test(
        "The desktop requests no decision while nothing is shielded, and few while the policy does not change"
    )
    func cheap() async throws {
        let days =
            #"{"days": 20, "steps": [{"at": "12:00", "use": "a", "for": "1h"}, {"use": "b", "for": "1h"}]}"#
        let (_, without) = try await play([], steps: days)
        #expect(await without.decisions == 0)
        let (outcome, with) = try await play([Self.shield("c", from: 0, to: 1e6)], steps: days)
        let asked = await with.decisions
        let moments = 20 * 4
        #expect(asked <= 3 * moments, "\(asked)")
        #expect(outcome.timeline.count { $0.kind == .shield } == 0)
    }

    @Test("An unmet expectation reports the actual state")
    func unmet() async throws {
        let (outcome, _) = try await play(
            [Self.shield("game", from: 20, to: 40)],
            steps: #"{"use": "game", "for": "45m"}"#,
            expect: """
                {"shielded": "game", "at": "2026-05-04 10:19"}, {"not_shielded": "game", "at": "2026-05-04 10:20"},
                {"shielded": "game", "by": "app/other", "at": "2026-05-04 10:20"},
                {"shield_shown": "game", "at": "2026-05-04 10:21"}, {"no_shield_shown": "game"},
                {"store": "other", "empty": true}
                """
        )

        #expect(
            outcome.verdicts.map { "\($0.expected): \($0.actual ?? "met")" } == [
                "game is shielded at 2026-05-04 10:19:00.000: no store shields it",
                "game is not shielded at 2026-05-04 10:20:00.000: it is shielded by app/store",
                "game is shielded by app/other at 2026-05-04 10:20:00.000: it is shielded by app/store",
                "a shield in front of game at 2026-05-04 10:21:00.000: "
                    + "there was: 2026-05-04 10:20:00.000 game by app/store for me",
                "no shield in front of game: it came 1 times: 2026-05-04 10:20:00.000 game by app/store for me",
                "other is empty: no rule is called other",
            ]
        )
    }
}

/// The cores within this process, with a simulated shield-service that follows a script.
actor ScriptedShields: SimulationBackend {
    /// An interval in which one store shields one app.
    struct Shield {
        var app: String
        var fromWallMs: Int64
        var toWallMs: Int64
        var store = "store"
    }

    /// Requests of the desktop: shields shown as `app wallMs segment`, and button presses.
    private(set) var shown: [String] = []
    private(set) var presses: [Int64] = []
    private(set) var decisions = 0
    private let core: CoreBackend
    private let shields: [Shield]
    private var isUp: [Bool]
    private var news: [WireEvent] = []
    private var number: Int64 = 0
    private var wallMs: Int64 = 0

    init(_ shields: [Shield]) throws {
        core = try CoreBackend()
        self.shields = shields
        isUp = shields.map { _ in false }
    }

    private func isUp(_ shield: Shield) -> Bool { (shield.fromWallMs..<shield.toWallMs).contains(wallMs) }

    func start(_ face: ClockState) async throws {
        wallMs = face.reading.wallMs
        try await core.start(face)
    }

    func setClock(_ face: ClockState) async throws {
        wallMs = face.reading.wallMs
        await core.setClock(face)
    }

    func waitUntilIdle() async throws {
        try await core.waitUntilIdle()
        for (index, shield) in shields.enumerated() where isUp[index] != isUp(shield) {
            isUp[index].toggle()
            number += 1
            let none = CategoryPolicyBody(reach: .none, categories: [], except: [])
            let body = PolicyStore(
                policy: number,
                app: "app",
                member: "owner",
                store: shield.store,
                version: number,
                isInForce: true,
                shields: StoreShieldsBody(
                    apps: isUp[index] ? [shield.app] : [],
                    categories: none,
                    domains: [],
                    domainCategories: none,
                    blockedApps: [],
                    filter: WebFilterBody(reach: .none, domains: [], except: [])
                ),
                settings: [:],
                wallMs: wallMs
            )
            news.append(
                try CoreBench<Int>.event(
                    PolicyStoreChanged.self,
                    sequence: number,
                    subject: "store",
                    body: body
                )
            )
        }
    }

    func call<R: Route>(_ route: R.Type, _ request: R.Request) async throws -> R.Reply {
        let reply: (any Sendable)? =
            switch request {
            case let request as ShieldDecide.Request: decide(request)
            case let request as ShieldShow.Request: show(request)
            case let request as ShieldPress.Request: press(request)
            default: nil
            }
        if let reply = reply as? R.Reply { return reply }
        return try await core.call(R.self, request)
    }

    private func decision(_ app: String?) -> ShieldDecisionBody {
        let causes = shields.filter { $0.app == app && isUp($0) }.map {
            ShieldCauseBody(app: "app", member: "owner", store: $0.store, way: .named, what: $0.app)
        }
        return ShieldDecisionBody(isShielded: !causes.isEmpty, causes: causes, isAlwaysAllowed: false)
    }

    private func decide(_ request: ShieldDecide.Request) -> ShieldDecide.Reply {
        decisions += 1
        return ShieldDecide.Reply(
            member: "owner",
            policy: number,
            category: "games",
            decision: decision(request.subject.app),
            lifts: []
        )
    }

    private func show(_ request: ShieldShow.Request) -> ShieldShow.Reply {
        shown.append("\(request.subject.app ?? "-") \(request.wallMs ?? 0) \(request.segment ?? "-")")
        return ShieldShow.Reply(
            policy: number,
            decision: decision(request.subject.app),
            shield: "shield-\(shown.count)"
        )
    }

    private func press(_ request: ShieldPress.Request) -> ShieldPress.Reply {
        presses.append(request.press)
        return ShieldPress.Reply(response: request.button == .primary ? .close : .none)
    }

    var nextDue: Deadlines {
        get async {
            let borders = shields.flatMap { [$0.fromWallMs, $0.toWallMs] }.filter { $0 > wallMs }
            return await core.nextDue.merged(with: Deadlines(wallMs: borders.min()))
        }
    }

    func events(of stream: StreamName) async throws -> [WireEvent] {
        guard stream == .policy else { return await core.events(of: stream) }
        defer { news = [] }
        return news
    }

    func kill(_ program: String) async throws { try await core.kill(program) }

    func run(_ words: [String], member: String?) async throws -> [String] {
        try await core.run(words, member: member)
    }

    var programs: String? { nil }
    var state: String? { nil }

    func simulatedApp() async throws -> AppInstall.Request { try await core.simulatedApp() }

    func stop() async { await core.stop() }
}
