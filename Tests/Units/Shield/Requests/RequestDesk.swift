import STContracts
import STCrypto
import STDomain
import STEngine
import STPlatform
import STTestKit
import STTestSupport
import Synchronization

@testable import STShieldCore

/// A shield-service with a household of an owner, a guardian and a child, on Friday, 2026-11-20 at noon in Berlin.
final class RequestDesk {
    static let guardian = "guardian"
    static let passcode = "guardian's"
    static let noonMs: Int64 = 1_795_172_400_000

    private(set) var bench: CoreBench<ShieldState>
    private let answers: Answers

    /// The replies of auth-service and activity-center.
    private final class Answers: Sendable {
        struct State {
            var members = [
                Member(name: "owner", role: .individual), Member(name: RequestDesk.guardian, role: .guardian),
                Member(name: "kid", role: .child),
            ]
            var provers: [String]?
            var delayMs: Int64 = 0
            var asked: [String] = []
        }

        let state = Mutex(State())

        func answer(_ route: String, _ body: [UInt8]) throws -> [UInt8] {
            state.withLock { $0.asked.append(route) }
            switch route {
            case MemberList.name:
                return try MemberList.Reply(
                    device: Device(id: "d", name: "desk"),
                    members: state.withLock { $0.members },
                    provers: state.withLock { $0.provers }
                ).encodedBody()
            case RuleDelay.name:
                let request = try RuleDelay.Request.decodedBody(body)
                return try RuleDelay.Reply(
                    member: request.member ?? "owner",
                    delayMs: state.withLock { $0.delayMs }
                ).encodedBody()
            case AuthProve.name: return try prove(try AuthProve.Request.decodedBody(body)).encodedBody()
            default: throw Problem("route.not_found", verbatim: route)
            }
        }

        private func prove(_ request: AuthProve.Request) throws -> AuthProve.Reply {
            let role = state.withLock { $0.members.first { $0.name == request.member }?.role }
            if role != .child, request.byGuardian != true, request.by == nil || request.by == request.member {
                return AuthProve.Reply(by: request.member)
            }
            guard request.by == nil || request.by == RequestDesk.guardian else {
                throw Problem("auth.not_a_prover", "No member has a passcode.")
            }
            switch request.passcode {
            case nil: throw Problem("auth.proof_needed", "Proof.", details: ["prover": RequestDesk.guardian])
            case RequestDesk.passcode: return AuthProve.Reply(by: RequestDesk.guardian)
            default: return AuthProve.Reply(refusal: Problem("auth.wrong_passcode", "Wrong."))
            }
        }
    }

    init() throws {
        let time = SimulatedTimeSource(wallMs: Self.noonMs, zone: "Europe/Berlin")
        bench = try CoreBench(ShieldService.definition(), time: time)
        answers = Answers()
        listen()
    }

    private func listen() { bench.otherService = { [answers] in try answers.answer($0, $1) } }

    func restart() throws {
        bench = try bench.reopened()
        listen()
    }

    /// The computer has restarted, and its clock shows a time.
    func reboot(wallMs: Int64) throws {
        try bench.store.close()
        bench = try CoreBench(
            ShieldService.definition(),
            scratch: bench.scratch,
            time: SimulatedTimeSource(
                wallMs: wallMs,
                bootMs: 5_000,
                zone: "Europe/Berlin",
                bootID: "another \(wallMs)"
            )
        )
        listen()
        try settle()
    }

    var time: SimulatedTimeSource { bench.time }
    var book: MoreTimeRequests { bench.state.requests }
    var asked: [String] { answers.state.withLock { $0.asked } }

    func set(members: [Member]) { answers.state.withLock { $0.members = members } }

    func set(provers: [String]) { answers.state.withLock { $0.provers = provers } }

    func set(delayMs: Int64) { answers.state.withLock { $0.delayMs = delayMs } }

    // MARK: - What people do

    static func app(_ id: String = "firefox") -> TokenItem { TokenItem(kind: .application, id: id) }

    static func ask(
        _ member: String? = "kid",
        minutes: Int64 = 15,
        items: [TokenItem] = [app()],
        because: String? = nil
    ) -> RequestAdd.Request {
        RequestAdd.Request(member: member, items: items, durationMs: minutes * 60_000, because: because)
    }

    @discardableResult
    func add(_ member: String? = "kid", minutes: Int64 = 15, items: [TokenItem] = [app()]) throws
        -> RequestView
    {
        try bench.ask(RequestAdd.self, Self.ask(member, minutes: minutes, items: items)).request
    }

    @discardableResult
    func approve(
        _ request: String,
        by: String? = nil,
        _ passcode: String? = passcode,
        minutes: Int64? = nil
    ) throws -> RequestAnswered {
        try bench.ask(
            RequestApprove.self,
            .init(request: request, by: by, passcode: passcode, durationMs: minutes.map { $0 * 60_000 })
        )
    }

    func view(_ request: String) throws -> RequestView {
        let all = try bench.ask(RequestList.self, .init()).requests
        guard let found = all.first(where: { $0.request == request }) else { throw NotYet(request) }
        return found
    }

    /// Lets time go by, and does what comes by itself in it.
    func pass(minutes: Int64 = 0, ms: Int64 = 0) throws {
        time.advance(byMs: minutes * 60_000 + ms)
        try settle()
    }

    func settle() throws {
        while try bench.step({ state, context, _ in
            RequestHandlers.due(state, context).isDue(at: context.now)
        }) {
            try bench.step { try RequestHandlers.advance(&$0, context: $1, change: $2) }
        }
    }

    /// Until when each grant holds that is in force.
    func inForce(_ member: String = "kid") -> [String: Int64?] {
        (bench.state.policy.members[member]?.grants ?? [:]).mapValues(\.untilMs)
    }

    // MARK: - Codes

    func setUpCodes(_ member: String = "kid", _ passcode: String? = passcode) throws -> RequestCodeSetup.Reply
    {
        try bench.ask(RequestCodeSetup.self, .init(member: member, passcode: passcode))
    }

    /// What the phone shows at a moment; nil is now.
    func code(atMs wallMs: Int64? = nil) throws -> String {
        guard let key = book.keys["kid"] else { throw NotYet("no codes") }
        return OneTimeCode.code(key.secret, step: OneTimeCode.step(ofWallMs: wallMs ?? time.now().wallMs))
    }

    func give(_ code: String, for request: String) throws -> RequestAnswered {
        try bench.ask(RequestCode.self, .init(request: request, code: code))
    }

    // MARK: - Published

    /// Since the bench was opened: which grant, and how it stands.
    func told() throws -> [String] {
        try bench.events.filter { $0.header.type == PolicyGrantChanged.type }.map {
            let grant = try $0.decoded(PolicyGrantChanged.self)
            return "\(grant.policy) \($0.header.subject) \(grant.request.state.rawValue)"
        }
    }
}
