import STContracts
import STPlatform
import STTestKit

@testable import STSimulation

/// The cores within this process, with a shield-service that does by the clock what it was told before.
actor ScriptedShields: SimulationBackend {
    /// One store shields one app from one moment to another.
    struct Shield {
        var app: String
        var fromWallMs: Int64
        var toWallMs: Int64
        var store = "store"
    }

    /// What the desktop asked for: shields shown as `app wallMs segment`, buttons.
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

    func start(_ face: ClockFace) async throws {
        wallMs = face.reading.wallMs
        try await core.start(face)
    }

    func show(_ face: ClockFace) async throws {
        wallMs = face.reading.wallMs
        await core.show(face)
    }

    func settle() async throws {
        try await core.settle()
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
            news.append(try CoreBench<Int>.event(PolicyStoreChanged.self, number, subject: "store", body))
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

    var nextDue: DueMoments {
        get async {
            let borders = shields.flatMap { [$0.fromWallMs, $0.toWallMs] }.filter { $0 > wallMs }
            return await core.nextDue.merged(with: DueMoments(wallMs: borders.min()))
        }
    }

    func news(of stream: StreamName) async throws -> [WireEvent] {
        guard stream == .policy else { return await core.news(of: stream) }
        defer { news = [] }
        return news
    }

    func kill(_ program: String) async throws { try await core.kill(program) }

    func run(_ words: [String], member: String?) async throws -> [String] {
        try await core.run(words, member: member)
    }

    var programs: String? { nil }

    func simulatedApp() async throws -> AppInstall.Request { try await core.simulatedApp() }

    func stop() async { await core.stop() }
}
