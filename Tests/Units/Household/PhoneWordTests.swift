import STBus
import STContracts
import STEngine
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STHouseholdCore

extension HouseholdBench {
    /// Lets a phone in.
    func pair(_ pairing: PhonePairing, _ token: [UInt8]) throws {
        _ = try bench.step { state, _, change in
            try Phones.pair(pairing, token: token, &state, change.now)
        }
    }

    /// What a phone does.
    func act(
        _ token: [UInt8],
        _ deed: @escaping @Sendable (HouseholdState.Device, inout HouseholdState, TimeReading) throws -> Void
    ) throws {
        _ = try bench.step { state, _, change in
            try deed(try Phones.phone(token: token, state), &state, change.now)
        }
    }
}

@Suite("What a guardian says from a phone", .postgres)
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

    private func tell(_ home: HouseholdBench, _ machine: Int, _ open: [HouseholdRequest] = []) throws
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

    @Test("reaches the machine that asked, once", arguments: HouseholdGround.allCases)
    func answers(ground: HouseholdGround) throws {
        var home = try HouseholdBench(ground)
        try pair(home)
        _ = try tell(home, 0, [Self.asked])
        let key = "\(home.devices[0])/R7/5"
        try act(home) {
            try Phones.answer(key, forMs: 900_000, because: nil, from: $0, &$1, $2)
        }
        let answer = HouseholdAnswer(request: "R7/5", forMs: 900_000, by: "mum")
        #expect(try tell(home, 0, [Self.asked]).answers == [answer])
        #expect(try tell(home, 1).answers == nil)
        home.bench = try home.bench.reopened()
        // Answered, it waits for no other word.
        var granted = Self.asked
        (granted.state, granted.durationMs, granted.leftMs) = (.granted, 900_000, 900_000)
        #expect(try tell(home, 0, [granted]).answers == [answer])
        #expect(throws: Problem.self) {
            try act(home) { try Phones.answer(key, forMs: nil, because: "no", from: $0, &$1, $2) }
        }
        #expect(try tell(home, 1).granted.map(\.key) == [key])
    }

    @Test("gives time on all machines, and takes it back")
    func gives() throws {
        try pair(home)
        try act(home) { try Phones.give("anna", forMs: 600_000, from: $0, &$1, $2) }
        for machine in 0...1 {
            let granted = try tell(home, machine).granted
            #expect(granted.map(\.leftMs) == [600_000] && granted.first?.by == "mum")
            #expect(granted.first?.items.isEmpty == true && granted.first?.device == "mum's phone")
        }
        home.bench.time.advance(byMs: 60_000)
        #expect(try tell(home, 0).granted.map(\.leftMs) == [540_000])
        let key = try #require(try tell(home, 0).granted.first?.key)
        try act(home) { try Phones.takeBack(key, from: $0, &$1, $2) }
        #expect(try tell(home, 0).granted.isEmpty)
        try act(home) { try Phones.give("anna", forMs: 600_000, from: $0, &$1, $2) }
        home.bench.time.advance(byMs: 600_000)
        #expect(try tell(home, 0).granted.isEmpty)
    }

    @Test("ends what another guardian's phone gave, and what a machine that is away has granted")
    func others() throws {
        try pair(home)
        try act(home) { try Phones.give("anna", forMs: 600_000, from: $0, &$1, $2) }
        var granted = Self.asked
        (granted.state, granted.because) = (.granted, nil)
        _ = try tell(home, 0, [granted])
        #expect(try tell(home, 1).granted.count == 2)
        let other = [UInt8](repeating: 8, count: 32)
        _ = try home.bench.step {
            let dad = PhonePairing(name: "dad's phone", by: "dad", isProved: true, members: ["anna"])
            try Phones.pair(dad, token: other, &$0, $2.now)
            return true
        }
        for key in try tell(home, 1).granted.compactMap(\.key) {
            _ = try home.bench.step {
                try Phones.takeBack(key, from: try Phones.phone(token: other, $0), &$0, $2.now)
                return true
            }
        }
        #expect(try tell(home, 1).granted.isEmpty)
        #expect(throws: Problem.self) { try act(home) { try Phones.takeBack("x", from: $0, &$1, $2) } }
    }

    @Test("stops all machines of a child, which no machine without a guardian undoes, and lets them go on")
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
        try act(home) { try Phones.give("anna", forMs: 600_000, from: $0, &$1, $2) }
        try act(home) { try Phones.stop("anna", true, from: $0, &$1, $2) }
        let stopped = try #require(try rules(home.devices[1]).first)
        #expect(stopped.spec?.kind == .downtime && stopped.device == "mum's phone")
        #expect(try tell(home, 0).granted.isEmpty, "time that was given is over")
        var gone = stopped
        gone.spec = nil
        #expect(try rules(home.devices[1], [gone]).first?.spec != nil)
        try act(home) { try Phones.stop("anna", false, from: $0, &$1, $2) }
        #expect(try rules(home.devices[1]).first.map { $0.spec == nil } == true)
        // And again.
        try act(home) { try Phones.stop("anna", true, from: $0, &$1, $2) }
        #expect(try rules(tablet).first?.spec != nil)
    }

    @Test("stops what still lasts, also where other time that was given is over")
    func stopsLate() throws {
        try pair(home)
        for forMs in Array(repeating: 1_000, count: 9) + [600_000] {
            try act(home) { try Phones.give("anna", forMs: Int64(forMs), from: $0, &$1, $2) }
        }
        home.bench.time.advance(byMs: 1_000)
        #expect(try tell(home, 0).granted.count == 1)
        try act(home) { try Phones.stop("anna", true, from: $0, &$1, $2) }
        #expect(try tell(home, 0).granted.isEmpty)
    }

    @Test("of a phone that no guardian has proved gives time to children alone")
    func own() throws {
        _ = try home.bench.step {
            let own = PhonePairing(name: "anna's phone", by: "anna", isProved: false, members: ["anna"])
            try Phones.pair(own, token: Self.token, &$0, $2.now)
            return true
        }
        _ = try tell(home, 0, [Self.asked])
        let key = "\(home.devices[0])/R7/5"
        let deeds: [Deed] = [
            { try Phones.give("anna", forMs: 600_000, from: $0, &$1, $2) },
            { try Phones.stop("anna", false, from: $0, &$1, $2) },
            { try Phones.answer(key, forMs: 900_000, because: nil, from: $0, &$1, $2) },
        ]
        for deed in deeds { #expect(throws: Problem.self) { try act(home, deed) } }
        #expect(try tell(home, 0, [Self.asked]).answers == nil && tell(home, 1).granted.isEmpty)
        // A no gives nothing away.
        try act(home) { try Phones.answer(key, forMs: nil, because: nil, from: $0, &$1, $2) }
        #expect(try tell(home, 0, [Self.asked]).answers?.first?.forMs == nil)
        home.bench.remote = .device(home.devices[0])
        _ = try home.bench.ask(
            HouseholdRules.self,
            .init(members: ["anna"], changes: [], known: [], children: ["anna"])
        )
        home.bench.remote = nil
        try act(home, deeds[0])
        #expect(try tell(home, 1).granted.count == 1)
    }

    @Test("of a phone that was put out, or looks after others, counts for nothing")
    func strangers() throws {
        let before = home.bench.state.admitted(wallMs: 0)
        try pair(home)
        let deeds: [Deed] = [
            { try Phones.give("bert", forMs: 600_000, from: $0, &$1, $2) },
            { try Phones.give("anna", forMs: 1, from: $0, &$1, $2) },
            { try Phones.give("anna", forMs: .max, from: $0, &$1, $2) },
            { try Phones.stop("bert", true, from: $0, &$1, $2) },
            { try Phones.answer("nothing", forMs: 1, because: nil, from: $0, &$1, $2) },
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
        // A machine cannot say that it is the phone: it has a key for no door.
        #expect(home.bench.state.admitted(wallMs: 0).count == before.count)
        _ = try home.bench.ask(HouseholdRemove.self, .init(device: "mum's phone"))
        #expect(throws: Problem.self) { try Phones.phone(token: Self.token, home.bench.state) }
        #expect(throws: Problem.self) { try Phones.phone(token: [], home.bench.state) }
    }

    @Test("needs a guardian where a child lives, and people whom the household knows")
    func links() throws {
        home.bench.companion = { _, body in
            let asked = try PhoneAsk.Request.decodedBody(body)
            let place = HouseholdState.PhonePlace(address: asked.address, key: "k", certificate: "c")
            var reply = PhoneAsk.Reply(place: place, secret: [7], fingerprint: [0xAB, 1])
            #expect(reply.link == "https://\(asked.address)/#07" && reply.fingerprint == "AB:01")
            reply.link = asked.pairing.members.joined(separator: ",")
            return try reply.encodedBody()
        }
        let made = try home.bench.ask(HouseholdPhone.self, .init(name: "mum's phone"))
        #expect(made.link == "anna" && made.members == ["anna"])
        #expect(home.bench.state.own?.phones?.address == "127.0.0.1:7467")
        #expect(try home.bench.reopened().state.own?.phones?.certificate == "c")
        for (asked, code) in [
            (HouseholdPhone.Request(name: ""), "household.bad_name"),
            (.init(name: "x", members: ["bert"]), "household.unknown_person"),
            (.init(name: "x", address: "nowhere"), "household.bad_address"),
        ] {
            #expect(try home.bench.refusal(HouseholdPhone.self, asked)?.code == code)
        }
    }
}
