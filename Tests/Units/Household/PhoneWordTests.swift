import STBus
import STContracts
import STEngine
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STHouseholdCore

extension HouseholdBench {
    /// Pairs a phone.
    func pair(_ pairing: PhonePairing, _ token: [UInt8]) throws {
        _ = try bench.step { state, _, change in
            try Phones.pair(pairing, token: token, state: &state, now: change.now)
        }
    }

    /// Performs an action of a phone.
    func act(
        _ token: [UInt8],
        _ deed: @escaping @Sendable (HouseholdState.Device, inout HouseholdState, TimeReading) throws -> Void
    ) throws {
        _ = try bench.step { state, _, change in
            try deed(try Phones.phone(token: token, state), &state, change.now)
        }
    }
}

@Suite("Decisions of a guardian on a phone", .postgres)
struct PhoneWordTests {
    private static let token = [UInt8](repeating: 7, count: 32)
    private static let pairing = PhonePairing(
        name: "mum's phone",
        by: "mum",
        isProved: true,
        members: ["anna"]
    )

    private typealias Deed =
        @Sendable (HouseholdState.Device, inout HouseholdState, TimeReading) throws -> Void

    private let home: HouseholdBench

    init() throws { home = try HouseholdBench() }

    private func pair(_ home: HouseholdBench) throws {
        try home.pair(Self.pairing, Self.token)
    }

    private func act(
        _ home: HouseholdBench,
        _ deed: @escaping @Sendable (HouseholdState.Device, inout HouseholdState, TimeReading) throws -> Void
    ) throws {
        try home.act(Self.token, deed)
    }

    private func tell(_ home: HouseholdBench, machine: Int, open: [HouseholdRequest] = []) throws
        -> HouseholdRequests.Reply
    {
        home.bench.remote = .device(home.devices[machine])
        defer { home.bench.remote = nil }
        return try home.bench.ask(HouseholdRequests.self, .init(open: open, takenBack: []))
    }

    private static let asked = HouseholdRequest(
        request: "R7",
        askedMs: 5,
        member: "anna",
        state: .waiting,
        items: [TokenItem(kind: .application, id: "game")],
        durationMs: 1_800_000,
        because: "please",
        leftMs: 3_600_000
    )

    @Test(
        "A decision on a phone reaches only the machine of the request, and is final",
        arguments: HouseholdGround.allCases
    )
    func answers(ground: HouseholdGround) throws {
        var home = try HouseholdBench(ground)
        try pair(home)
        _ = try tell(home, machine: 0, open: [Self.asked])
        let key = "\(home.devices[0])/R7/5"
        try act(home) {
            try Phones.answer(key, for: .seconds(900), because: nil, from: $0, state: &$1, now: $2)
        }
        let answer = HouseholdAnswer(request: "R7/5", forMs: 900_000, by: "mum")
        #expect(try tell(home, machine: 0, open: [Self.asked]).answers == [answer])
        #expect(try tell(home, machine: 1).answers == nil)
        home.bench = try home.bench.reopened()
        // The request has been answered and accepts no other answer.
        var granted = Self.asked
        (granted.state, granted.durationMs, granted.leftMs) = (.granted, 900_000, 900_000)
        #expect(try tell(home, machine: 0, open: [granted]).answers == [answer])
        #expect(throws: Problem.self) {
            try act(home) { try Phones.answer(key, for: nil, because: "no", from: $0, state: &$1, now: $2) }
        }
        #expect(try tell(home, machine: 1).granted.map(\.key) == [key])
    }

    @Test("A grant from a phone applies on all machines until it is revoked or expires")
    func gives() throws {
        try pair(home)
        try act(home) { try Phones.grant("anna", for: .seconds(600), from: $0, state: &$1, now: $2) }
        for machine in 0...1 {
            let granted = try tell(home, machine: machine).granted
            #expect(granted.map(\.leftMs) == [600_000] && granted.first?.by == "mum")
            #expect(granted.first?.items.isEmpty == true && granted.first?.device == "mum's phone")
        }
        home.bench.time.advance(byMs: 60_000)
        #expect(try tell(home, machine: 0).granted.map(\.leftMs) == [540_000])
        let key = try #require(try tell(home, machine: 0).granted.first?.key)
        try act(home) { try Phones.revoke(key, from: $0, state: &$1, now: $2) }
        #expect(try tell(home, machine: 0).granted.isEmpty)
        try act(home) { try Phones.grant("anna", for: .seconds(600), from: $0, state: &$1, now: $2) }
        home.bench.time.advance(byMs: 600_000)
        #expect(try tell(home, machine: 0).granted.isEmpty)
    }

    @Test("A phone can revoke grants of another guardian's phone and of an absent machine")
    func others() throws {
        try pair(home)
        try act(home) { try Phones.grant("anna", for: .seconds(600), from: $0, state: &$1, now: $2) }
        var granted = Self.asked
        (granted.state, granted.because) = (.granted, nil)
        _ = try tell(home, machine: 0, open: [granted])
        #expect(try tell(home, machine: 1).granted.count == 2)
        let other = [UInt8](repeating: 8, count: 32)
        _ = try home.bench.step {
            let dad = PhonePairing(name: "dad's phone", by: "dad", isProved: true, members: ["anna"])
            try Phones.pair(dad, token: other, state: &$0, now: $2.now)
            return true
        }
        for key in try tell(home, machine: 1).granted.compactMap(\.key) {
            _ = try home.bench.step {
                try Phones.revoke(key, from: try Phones.phone(token: other, $0), state: &$0, now: $2.now)
                return true
            }
        }
        #expect(try tell(home, machine: 1).granted.isEmpty)
        #expect(throws: Problem.self) {
            try act(home) { try Phones.revoke("x", from: $0, state: &$1, now: $2) }
        }
    }

    @Test("A stop from a phone applies on all machines of a child until the phone ends it")
    func stops() throws {
        let number = try home.knock(
            try home.invite(),
            name: "tablet",
            accounts: [("kid", "anna")],
            guardians: ["mum"]
        )
        let tablet = try home.bench.ask(HouseholdConfirm.self, .init(number: number)).device.device
        func rules(_ device: String, _ changes: [HouseholdRule] = []) throws -> [HouseholdRule] {
            home.bench.remote = .device(device)
            defer { home.bench.remote = nil }
            let asked = HouseholdRules.Request(
                members: ["anna"],
                changes: changes,
                known: [],
                children: device == tablet ? ["anna"] : []
            )
            return try home.bench.ask(HouseholdRules.self, asked).rules
        }
        _ = try rules(tablet)
        try pair(home)
        try act(home) { try Phones.grant("anna", for: .seconds(600), from: $0, state: &$1, now: $2) }
        try act(home) { try Phones.setStopped("anna", isStopped: true, from: $0, state: &$1, now: $2) }
        let stopped = try #require(try rules(home.devices[1]).first)
        #expect(stopped.spec?.kind == .downtime && stopped.device == "mum's phone")
        #expect(try tell(home, machine: 0).granted.isEmpty, "time that was given is over")
        var gone = stopped
        gone.spec = nil
        #expect(try rules(home.devices[1], [gone]).first?.spec != nil)
        try act(home) { try Phones.setStopped("anna", isStopped: false, from: $0, state: &$1, now: $2) }
        #expect(try rules(home.devices[1]).first.map { $0.spec == nil } == true)
        // A second stop.
        try act(home) { try Phones.setStopped("anna", isStopped: true, from: $0, state: &$1, now: $2) }
        #expect(try rules(tablet).first?.spec != nil)
    }

    @Test("A stop from a phone ends a current grant, also after many expired ones")
    func stopsLate() throws {
        try pair(home)
        for length in Array(repeating: Duration.seconds(1), count: 9) + [.seconds(600)] {
            try act(home) { try Phones.grant("anna", for: length, from: $0, state: &$1, now: $2) }
        }
        home.bench.time.advance(byMs: 1_000)
        #expect(try tell(home, machine: 0).granted.count == 1)
        try act(home) { try Phones.setStopped("anna", isStopped: true, from: $0, state: &$1, now: $2) }
        #expect(try tell(home, machine: 0).granted.isEmpty)
    }

    @Test("A phone without a guardian's proof grants time only to children, and can deny requests")
    func own() throws {
        _ = try home.bench.step {
            let own = PhonePairing(name: "anna's phone", by: "anna", isProved: false, members: ["anna"])
            try Phones.pair(own, token: Self.token, state: &$0, now: $2.now)
            return true
        }
        _ = try tell(home, machine: 0, open: [Self.asked])
        let key = "\(home.devices[0])/R7/5"
        let deeds: [Deed] = [
            { try Phones.grant("anna", for: .seconds(600), from: $0, state: &$1, now: $2) },
            { try Phones.setStopped("anna", isStopped: false, from: $0, state: &$1, now: $2) },
            { try Phones.answer(key, for: .seconds(900), because: nil, from: $0, state: &$1, now: $2) },
        ]
        for deed in deeds { #expect(throws: Problem.self) { try act(home, deed) } }
        #expect(
            try tell(home, machine: 0, open: [Self.asked]).answers == nil
                && tell(home, machine: 1).granted.isEmpty
        )
        // Anyone may deny a request, because that grants no time.
        try act(home) { try Phones.answer(key, for: nil, because: nil, from: $0, state: &$1, now: $2) }
        #expect(try tell(home, machine: 0, open: [Self.asked]).answers?.first?.forMs == nil)
        home.bench.remote = .device(home.devices[0])
        _ = try home.bench.ask(
            HouseholdRules.self,
            .init(members: ["anna"], changes: [], known: [], children: ["anna"])
        )
        home.bench.remote = nil
        try act(home, deeds[0])
        #expect(try tell(home, machine: 1).granted.count == 1)
    }

    @Test("A phone cannot decide for other people or with invalid times, and a removed phone is rejected")
    func strangers() throws {
        let before = home.bench.state.admittedKeys(at: WallTime(ms: 0))
        try pair(home)
        let deeds: [Deed] = [
            { try Phones.grant("bert", for: .seconds(600), from: $0, state: &$1, now: $2) },
            { try Phones.grant("anna", for: .milliseconds(1), from: $0, state: &$1, now: $2) },
            { try Phones.grant("anna", for: .milliseconds(Int64.max), from: $0, state: &$1, now: $2) },
            { try Phones.setStopped("bert", isStopped: true, from: $0, state: &$1, now: $2) },
            {
                try Phones.answer(
                    "nothing",
                    for: .milliseconds(1),
                    because: nil,
                    from: $0,
                    state: &$1,
                    now: $2
                )
            },
        ]
        var codes: [String] = []
        for deed in deeds {
            do { try act(home, deed) } catch let problem as Problem { codes.append(problem.code) }
        }
        #expect(
            codes == [
                "phone.not_theirs", "request.bad_duration", "request.bad_duration", "phone.not_theirs",
                "phone.not_waiting",
            ]
        )
        // A phone has no key for the port of machines, so a machine cannot claim to be the phone.
        #expect(home.bench.state.admittedKeys(at: WallTime(ms: 0)).count == before.count)
        _ = try home.bench.ask(HouseholdRemove.self, .init(device: "mum's phone"))
        #expect(throws: Problem.self) { try Phones.phone(token: Self.token, home.bench.state) }
        #expect(throws: Problem.self) { try Phones.phone(token: [], home.bench.state) }
    }

    @Test("A new phone's link contains its people, and invalid names, people and addresses are rejected")
    func links() throws {
        home.bench.companion = { _, body in
            let asked = try PhoneLinkQuery.Request.decodedBody(body)
            let place = HouseholdState.PhoneEndpoint(address: asked.address, key: "k", certificate: "c")
            var reply = PhoneLinkQuery.Reply(place: place, secret: [7], fingerprint: [0xAB, 1])
            #expect(reply.link == "https://\(asked.address)/#07" && reply.fingerprint == "AB:01")
            reply.link = asked.pairing.members.joined(separator: ",")
            return try reply.encodedBody()
        }
        let made = try home.bench.ask(HouseholdPhone.self, .init(name: "mum's phone"))
        #expect(made.link == "anna" && made.members == ["anna"])
        #expect(home.bench.state.identity?.phones?.address == "127.0.0.1:7467")
        #expect(try home.bench.reopened().state.identity?.phones?.certificate == "c")
        for (asked, code) in [
            (HouseholdPhone.Request(name: ""), "household.bad_name"),
            (.init(name: "x", members: ["bert"]), "household.unknown_person"),
            (.init(name: "x", address: "nowhere"), "household.bad_address"),
        ] {
            #expect(try home.bench.refusal(HouseholdPhone.self, asked)?.code == code)
        }
    }
}
