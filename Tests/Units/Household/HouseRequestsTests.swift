import STBus
import STContracts
import STDomain
import STEngine
import STHouseholdCore
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STShieldCore

/// A machine with requests for more time and the exchange of its link-service.
private final class RequestMachine {
    static let guardian = "guardian"

    private(set) var bench: CoreBench<ShieldState>
    let here: String
    private let device: String
    private let role: MemberRole

    init(_ here: String, _ device: String, role: MemberRole = .individual) throws {
        self.here = here
        self.device = device
        self.role = role
        bench = try CoreBench(ShieldService.definition())
        answer()
    }

    private func answer() {
        let members = [
            Member(name: Self.guardian, role: .guardian), Member(name: here, role: role),
        ]
        bench.otherService = { route, _ in
            switch route {
            case AuthProve.name: try AuthProve.Reply(by: Self.guardian).encodedBody()
            default:
                try MemberList.Reply(device: Device(id: "d", name: "desk"), members: members).encodedBody()
            }
        }
    }

    func restart() throws {
        bench = try bench.reopened()
        answer()
    }

    // MARK: - Actions of people

    static func app(_ id: String = "firefox") -> TokenItem { TokenItem(kind: .application, id: id) }

    @discardableResult
    func add(_ items: [TokenItem] = [app()]) throws -> RequestView {
        try bench.ask(RequestAdd.self, .init(member: here, items: items, durationMs: 900_000)).request
    }

    func approve(_ request: String) throws {
        _ = try bench.ask(RequestApprove.self, .init(request: request, by: Self.guardian))
    }

    func give(_ items: [TokenItem] = [], minutes: Int64 = 30) throws {
        let grant = RequestGrant.Request(member: here, items: items, durationMs: minutes * 60_000)
        _ = try bench.ask(RequestGrant.self, grant)
    }

    func revoke(_ request: String) throws {
        _ = try bench.ask(RequestRevoke.self, .init(request: request))
    }

    func change(_ random: inout SeededRandom) throws {
        let items = [Self.app(["firefox", "game"][random.number(0...1)])]
        let any = bench.state.requests.requests.values.map(\.name).sorted().randomElement(using: &random)
        do {
            switch random.number(0...5) {
            case 0, 1: try add(items)
            case 2: try give(items, minutes: Int64(random.number(1...60)))
            case 3: try approve(any ?? "R1")
            default: try revoke(any ?? "R1")
            }
        } catch is Problem {}
    }

    func view(_ request: String) throws -> RequestView? {
        try bench.ask(RequestList.self, .init()).requests.first { $0.request == request }
    }

    /// Lets time pass with all due steps of the service.
    func pass(_ minutes: Int64) throws {
        bench.time.advance(byMs: minutes * 60_000)
        while try bench.step({ state, context, _ in
            RequestHandlers.due(state, context).isDue(at: context.now)
        }) {
            try bench.step { try RequestHandlers.advance(&$0, context: $1, change: $2) }
        }
    }

    /// Returns whether both sides had the same state. `fault` is the step after which the exchange is interrupted.
    @discardableResult
    func exchange(_ home: HouseholdBench, fault: Int64? = nil) throws -> Bool {
        var asked = RequestFollow.Request(members: [here])
        for round in 0..<5 {
            let own = try bench.ask(RequestFollow.self, asked)
            if fault == Int64(2 * round) { return false }
            home.bench.remote = .device(device)
            defer { home.bench.remote = nil }
            let reply = try home.bench.ask(
                HouseholdRequests.self,
                .init(open: own.open.map { named($0, "anna") }, takenBack: own.takenBack)
            )
            if fault == Int64(2 * round + 1) { return false }
            #expect(reply.why == nil, "\(String(describing: reply.why))")
            if asked.granted?.map(\.key) == reply.granted.map(\.key), asked.takenBack == reply.takenBack {
                return true
            }
            asked.granted = reply.granted.map { named($0, here) }
            asked.takenBack = reply.takenBack
        }
        return false
    }

    private func named(_ request: HouseholdRequest, _ name: String) -> HouseholdRequest {
        var request = request
        request.member = name
        return request
    }

    /// Current grants: the household's key of each request and its end.
    func inForce() throws -> [String: Int64] {
        var found: [String: Int64] = [:]
        let grants = bench.state.policy.members[here]?.grants ?? [:]
        for request in bench.state.requests.requests.values where request.state == .granted {
            #expect(grants[request.name]?.untilMs == request.ends?.wallMs)
            found[request.origin?.key ?? "\(device)/\(request.name)/\(request.askedMs)"] =
                request.ends?.wallMs
        }
        return found
    }
}

@Suite("Grants on all machines of a household", .postgres)
struct HouseRequestsTests {
    @Test(
        "A grant on one machine applies on the others until the same time, and so does its revocation",
        arguments: HouseholdGround.allCases
    )
    func granted(ground: HouseholdGround) throws {
        let home = try HouseholdBench(ground)
        let (laptop, desktop) = (
            try RequestMachine("kid", home.devices[0]), try RequestMachine("kim", home.devices[1])
        )
        let asked = try laptop.add()
        try laptop.exchange(home)
        try desktop.exchange(home)
        #expect(try desktop.inForce().isEmpty, "nothing holds before it is granted")
        try laptop.pass(1)
        try desktop.pass(1)
        #expect(try laptop.view(asked.request)?.state == .granted)
        #expect(try laptop.exchange(home) && desktop.exchange(home))
        let held = try laptop.inForce()
        #expect(try held.count == 1 && desktop.inForce() == held)
        let there = try #require(try desktop.view("R1"))
        #expect(there.device == "laptop" && there.answeredBy == RequestView.ownRule && there.member == "kim")
        let line = try #require(try desktop.bench.history.last)
        #expect(line.what == .grant && line.weight == .loosened && line.why?.english == "granted on laptop")
        // A grant counts once in the daily limit of both machines.
        let rule = try desktop.bench.ask(RequestRuleShow.self, .init(member: "kim"))
        #expect(rule.grantedToday == 1)
        // A revocation on one machine ends the grant on the other.
        try desktop.revoke(there.request)
        #expect(try desktop.exchange(home) && laptop.exchange(home) && desktop.exchange(home))
        #expect(try laptop.inForce().isEmpty && desktop.inForce().isEmpty)
        #expect(try laptop.view(asked.request)?.state == .revoked)
    }

    @Test("An offline machine ends grants at their time or when it reconnects, and those of removed machines")
    func away() throws {
        let home = try HouseholdBench()
        let (laptop, desktop) = (
            try RequestMachine("kid", home.devices[0]), try RequestMachine("kim", home.devices[1])
        )
        try laptop.give()
        #expect(try laptop.exchange(home) && desktop.exchange(home))
        try laptop.revoke("R1")
        try desktop.pass(10)
        #expect(try desktop.inForce().count == 1, "it has not heard of it")
        #expect(try laptop.exchange(home) && desktop.exchange(home))
        #expect(try desktop.inForce().isEmpty)
        try laptop.give()
        #expect(try laptop.exchange(home) && desktop.exchange(home))
        home.bench.time.advance(byMs: 1_000_000)
        try desktop.pass(31)
        #expect(try desktop.inForce().isEmpty)
        #expect(try desktop.exchange(home), "the household still has it, and it is over here")
        #expect(try desktop.inForce().isEmpty && desktop.view("R2")?.state == .ended)
        // The grants of a removed machine end.
        try laptop.give()
        #expect(try laptop.exchange(home) && desktop.exchange(home))
        #expect(try desktop.inForce().count == 1)
        _ = try home.bench.ask(HouseholdRemove.self, .init(device: "laptop"))
        #expect(try desktop.exchange(home))
        #expect(try desktop.inForce().isEmpty)
    }

    @Test("A revoked grant does not return after many other requests")
    func pushedOut() throws {
        let home = try HouseholdBench()
        let (laptop, desktop) = (
            try RequestMachine("kid", home.devices[0]), try RequestMachine("kim", home.devices[1])
        )
        try laptop.give(minutes: 600)
        #expect(try laptop.exchange(home) && desktop.exchange(home))
        try desktop.revoke("R1")
        for _ in 0..<MoreTimeRequests.keptMax + 5 { try desktop.revoke(try desktop.add().request) }
        #expect(try desktop.exchange(home))
        #expect(try desktop.inForce().isEmpty)
    }

    @Test("Only grants from a machine with the guardian apply to a child")
    func guarded() throws {
        let home = try HouseholdBench()
        let number = try home.knock(
            try home.invite(),
            name: "tablet",
            accounts: [("kid", "anna")],
            guardians: [RequestMachine.guardian]
        )
        let tablet = try home.bench.ask(HouseholdConfirm.self, .init(number: number)).device.device
        let watched = try RequestMachine("kid", tablet, role: .child)
        let free = try RequestMachine("kim", home.devices[1])
        home.bench.remote = .device(tablet)
        _ = try home.bench.ask(
            HouseholdRules.self,
            .init(members: ["anna"], changes: [], known: [], children: ["anna"])
        )
        home.bench.remote = nil
        try free.add()
        try free.pass(1)
        #expect(try free.inForce().count == 1)
        #expect(try free.exchange(home) && watched.exchange(home))
        #expect(try watched.inForce().isEmpty, "where they are a grown person, their word does not count")
        let asked = try watched.add()
        try watched.approve(asked.request)
        #expect(try watched.exchange(home) && free.exchange(home))
        #expect(try free.inForce().count == 2)
    }

    @Test("An invalid request is left out, and the valid ones of the exchange are stored")
    func bad() throws {
        let home = try HouseholdBench()
        home.bench.remote = .device(home.devices[0])
        let good = HouseholdRequest(
            request: "R1",
            askedMs: 1,
            member: "anna",
            state: .granted,
            items: [],
            durationMs: 60_000,
            leftMs: 60_000
        )
        let changes: [(inout HouseholdRequest) -> Void] = [
            { $0.member = "bert" }, { $0.leftMs = 0 }, { $0.leftMs = .max }, { $0.durationMs = -1 },
            { $0.state = .unknown }, { $0.state = .ended }, { $0.request = "R\n" },
            { $0.items = Array(repeating: RequestMachine.app(), count: 51) }, { $0.askedMs = .min },
            { $0.items = [RequestMachine.app(String(repeating: "x", count: 300))] },
        ]
        for (place, change) in changes.enumerated() {
            var wrong = good
            change(&wrong)
            let reply = try home.bench.ask(HouseholdRequests.self, .init(open: [wrong, good], takenBack: []))
            #expect(reply.why?.code == "household.bad_request", "\(place)")
            home.bench.remote = .device(home.devices[1])
            let heard = try home.bench.ask(HouseholdRequests.self, .init(open: [], takenBack: [])).granted
            #expect(heard.map(\.request) == ["R1"], "\(place)")
            home.bench.remote = .device(home.devices[0])
        }
        let many = Array(repeating: good, count: HouseholdRequest.max + 1)
        #expect(
            try home.bench.refusal(HouseholdRequests.self, .init(open: many, takenBack: []))?.code
                == "household.too_many_requests"
        )
        let desk = try RequestMachine("kid", home.devices[0])
        #expect(
            try desk.bench.refusal(RequestFollow.self, .init(members: ["kid"], granted: many))?.code
                == "request.too_many"
        )
        // Requests from the household are checked like a person's own.
        var wrong = good
        (wrong.key, wrong.member) = ("one", "kid")
        wrong.items = Array(repeating: RequestMachine.app(), count: 51)
        _ = try desk.bench.ask(RequestFollow.self, .init(members: ["kid"], granted: [wrong]))
        #expect(desk.bench.state.requests.requests.isEmpty)
    }

    @Test(
        "After interrupted exchanges and restarts, all machines have the same grants with similar ends",
        arguments: UInt64(1)...24
    )
    func agree(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var home = try HouseholdBench()
        let number = try home.knock(try home.invite(), name: "tablet", accounts: [("anna", "anna")])
        let third = try home.bench.ask(HouseholdConfirm.self, .init(number: number)).device.device
        let machines = [
            try RequestMachine("kid", home.devices[0]), try RequestMachine("kim", home.devices[1]),
            try RequestMachine("anna", third),
        ]
        for _ in 0..<120 {
            let place = random.number(0...2)
            switch random.number(0...9) {
            case 0...3: try machines[place].change(&random)
            case 4: try machines[place].restart()
            case 5: home.bench = try home.bench.reopened()
            case 6:
                let minutes = Int64(random.number(1...5))
                home.bench.time.advance(byMs: minutes * 60_000)
                for machine in machines { try machine.pass(minutes) }
            case 7: try machines[place].exchange(home, fault: Int64(random.number(0...5)))
            default: try machines[place].exchange(home)
            }
        }
        for _ in 0..<3 {
            for machine in machines { #expect(try machine.exchange(home), "seed \(seed): it comes to rest") }
        }
        let held = try machines.map { try $0.inForce() }
        for (machine, found) in zip(machines, held) {
            #expect(found.keys.sorted() == held[0].keys.sorted(), "seed \(seed): \(machine.here)")
            for (key, untilMs) in found {
                // The grant lasts longest on the machine of its origin.
                let own = held.compactMap { $0[key] }.max() ?? 0
                #expect(own - untilMs >= 0 && own - untilMs < 360_000, "seed \(seed): \(key)")
            }
        }
    }
}
