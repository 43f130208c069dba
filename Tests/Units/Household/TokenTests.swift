import STBus
import STContracts
import STCrypto
import STEngine
import STHouseholdCore
import STLinkCore
import STPlatform
import STTestKit
import STTestSupport
import Testing

@Suite("A token for many machines, and the key of each", .postgres)
struct HouseholdTokenTests {
    private static let dayMs: Int64 = 86_400_000

    private func token(_ home: HouseholdBench, machines: Int64 = 2, days: Int64 = 3) throws -> String {
        _ = try home.bench.ask(HouseholdToken.self, .init(machines: machines, days: days))
        return home.bench.state.invitations.last?.id ?? ""
    }

    private func join(
        _ home: HouseholdBench,
        _ token: String,
        _ key: [UInt8],
        _ people: [String] = ["pupil"],
        guardians: [String]? = nil
    ) throws -> HouseholdJoin.Reply {
        home.bench.remote = .invitation(token)
        defer { home.bench.remote = nil }
        let request = HouseholdJoin.Request(
            name: "pc",
            key: TextFormat.hex(key),
            accounts: people.map { HouseholdAccount(here: $0, member: $0) },
            guardians: guardians
        )
        return try home.bench.ask(HouseholdJoin.self, request)
    }

    private func refusal(_ home: HouseholdBench, _ token: String, _ key: [UInt8]) -> String? {
        do {
            _ = try join(home, token, key)
            return nil
        } catch { return Problem(error).code }
    }

    @Test(
        "lets so many in without a person, each under a name of its own",
        arguments: HouseholdGround.allCases
    )
    func machines(ground: HouseholdGround) throws {
        var home = try HouseholdBench(ground)
        let token = try token(home)
        let keys = try (0..<3).map { _ in try KeyPair.make().publicKey }
        let first = try #require(try join(home, token, keys[0]).device)
        #expect(try join(home, token, keys[0]).device == first, "again it is the same machine")
        home.bench = try home.bench.reopened()
        #expect(try join(home, token, keys[1]).device != nil)
        #expect(refusal(home, token, keys[2]) == "household.token_used_up")
        // One that has joined may say that other people use it now.
        #expect(try join(home, token, keys[0], ["pupil", "other"]).device == first)
        let shown = try home.bench.ask(HouseholdShow.self, Empty())
        #expect(shown.devices.map(\.name).suffix(2) == ["pc", "pc 2"] && shown.guests.isEmpty)
        #expect(shown.members == ["anna", "other", "pupil"])
        #expect(shown.tokens?.map(\.joined) == [2])
    }

    @Test("ends after its days and when it is ended, and lets no machine in that was put out")
    func ends() throws {
        let home = try HouseholdBench()
        var token = try token(home)
        let key = try KeyPair.make().publicKey
        _ = try join(home, token, key)
        _ = try home.bench.ask(HouseholdRemove.self, .init(device: "pc"))
        #expect(refusal(home, token, key) == "household.was_removed")
        home.bench.time.advance(byMs: 2 * Self.dayMs)
        let other = try KeyPair.make().publicKey
        #expect(refusal(home, token, other) == nil)
        home.bench.time.advance(byMs: Self.dayMs)
        #expect(refusal(home, token, try KeyPair.make().publicKey) == "household.invitation_over")
        token = try self.token(home)
        _ = try home.bench.ask(HouseholdToken.self, .init(machines: 1, days: 1, ends: true))
        #expect(refusal(home, token, try KeyPair.make().publicKey) == "household.invitation_over")
        // An invitation for one machine is another affair.
        let invited = try home.invite()
        _ = try home.bench.ask(HouseholdToken.self, .init(machines: 1, days: 1, ends: true))
        #expect(home.bench.state.invitations.map(\.id).contains(invited))
        for (machines, days) in [(Int64(0), Int64(1)), (1, 0), (10_001, 1), (1, 367), (.max, .max)] {
            let asked = HouseholdToken.Request(machines: machines, days: days)
            #expect(try home.bench.refusal(HouseholdToken.self, asked)?.code == "household.bad_token")
        }
    }

    @Test("makes no guardian of a machine: nothing for a child becomes looser by its word")
    func guardians() throws {
        let home = try HouseholdBench()
        let device = try #require(
            try join(home, try token(home), try KeyPair.make().publicKey, ["anna"], guardians: ["me"]).device
        )
        home.bench.remote = .device(device)
        let granted = HouseholdRequest(
            request: "R1",
            askedMs: 1,
            member: "anna",
            state: .granted,
            items: [],
            durationMs: 60_000,
            by: "me",
            leftMs: 60_000
        )
        _ = try home.bench.ask(
            HouseholdRules.self,
            .init(members: ["anna"], changes: [], known: [], children: ["anna"])
        )
        _ = try home.bench.ask(HouseholdRequests.self, .init(open: [granted], takenBack: []))
        home.bench.remote = .device(home.devices[0])
        #expect(try home.bench.ask(HouseholdRequests.self, .init(open: [], takenBack: [])).granted.isEmpty)
    }

    @Test(
        "a machine has another key from the moment it says so, and no other machine's",
        arguments: HouseholdGround.allCases
    )
    func renews(ground: HouseholdGround) throws {
        var home = try HouseholdBench(ground)
        let nowMs = home.bench.time.now().wallMs
        let old = home.bench.state.devices.map(\.key)
        let new = try KeyPair.make().publicKey
        home.bench.remote = .device(home.devices[0])
        for bad in ["", "ab", TextFormat.hex(old[1])] {
            let refused = try home.bench.refusal(HouseholdRenew.self, .init(key: bad))
            #expect(refused?.code == "household.bad_key", "\(bad)")
        }
        let asked = HouseholdRenew.Request(key: TextFormat.hex(new))
        // The answer may have been lost.
        for _ in 0..<2 { _ = try home.bench.ask(HouseholdRenew.self, asked) }
        home.bench = try home.bench.reopened()
        if ground == .shared { try home.refresh() }
        // A thief would have made them, too.
        #expect(Hooks.alarms(home.bench.state, nowMs: nowMs).map(\.what) == ["key"])
        let admitted = home.bench.state.admitted(wallMs: nowMs)
        #expect(admitted[new] == .device(home.devices[0]))
        #expect(admitted[old[0]] == nil)
        #expect(admitted[old[1]] == .device(home.devices[1]))
        home.bench.remote = .device(home.devices[0])
        let machines = try home.bench.ask(HouseholdMachines.self, .init(machine: "laptop"))
        #expect(machines.keys == [home.devices[0]: TextFormat.hex(new)])
    }

    @Test(
        "a machine that is taking new keys does not leave before the household knows them, and keeps them over a start"
    )
    func waits() throws {
        var link = try CoreBench(LinkService.definition())
        let keys = try KeyPair.make()
        func hear(_ isConnected: Bool) throws {
            _ = try link.step { state, _, _ in state.contact.isConnected = isConnected }
        }
        _ = try link.step { state, _, change in
            let membership = LinkMemory.Membership(
                address: "127.0.0.1:7415",
                server: keys.publicKey,
                secret: keys.secret,
                invitation: nil,
                number: "1",
                accounts: []
            )
            try state.put(membership, change.database)
        }
        for _ in 0..<2 { _ = try link.ask(LinkRenew.self, Empty()) }
        link = try link.reopened()
        let next = try #require(link.state.membership?.next)
        #expect(link.state.membership?.secret == keys.secret && next != keys.secret)
        try hear(true)
        #expect(try link.refusal(LinkLeave.self, .init())?.code == "household.renewing")
        // One that the household does not take is forgotten.
        _ = try link.step { state, _, change in try state.renewed(isTaken: false, change.database) }
        #expect(link.state.membership?.next == nil && link.state.secret == keys.secret)
        _ = try link.ask(LinkRenew.self, Empty())
        _ = try link.step { state, _, change in try state.renewed(isTaken: true, change.database) }
        link = try link.reopened()
        #expect(link.state.membership?.secret == link.state.secret && link.state.secret != keys.secret)
        _ = try link.ask(LinkRenew.self, Empty())
        // A household that is gone keeps no machine.
        try hear(false)
        #expect(try link.refusal(LinkLeave.self, .init()) == nil)
        #expect(link.state.membership == nil)
    }
}
