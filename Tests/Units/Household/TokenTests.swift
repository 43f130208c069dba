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

@Suite("Tokens for many machines, and keys of machines", .postgres)
struct HouseholdTokenTests {
    private static let dayMs: Int64 = 86_400_000

    private func token(_ home: HouseholdBench, machines: Int64 = 2, days: Int64 = 3) throws -> String {
        _ = try home.bench.ask(HouseholdToken.self, .init(machines: machines, days: days))
        return home.bench.state.invitations.last?.id ?? ""
    }

    private func join(
        _ home: HouseholdBench,
        token: String,
        key: [UInt8],
        people: [String] = ["pupil"],
        guardians: [String]? = nil,
        identity: String? = nil
    ) throws -> HouseholdJoin.Reply {
        home.bench.remote = .invitation(token)
        defer { home.bench.remote = nil }
        let request = HouseholdJoin.Request(
            name: "pc",
            key: TextFormat.hex(key),
            accounts: people.map { HouseholdAccount(here: $0, member: $0) },
            guardians: guardians,
            identity: identity
        )
        return try home.bench.ask(HouseholdJoin.self, request)
    }

    private func tell(_ home: HouseholdBench, device: String, request: HouseholdPush.Request) throws {
        home.bench.remote = .device(device)
        defer { home.bench.remote = nil }
        #expect(try home.bench.ask(HouseholdPush.self, request).cursor == request.through)
    }

    private func heard(_ home: HouseholdBench, _ device: String) throws -> [String] {
        home.bench.remote = .device(device)
        defer { home.bench.remote = nil }
        let asked = HouseholdPull.Request(
            after: [:],
            news: -1,
            waitMs: 0,
            places: home.bench.state.identity?.places
        )
        return try home.bench.ask(HouseholdPull.self, asked).rows.map(\.segment).sorted()
    }

    private func refusal(_ home: HouseholdBench, token: String, key: [UInt8]) -> String? {
        do {
            _ = try join(home, token: token, key: key)
            return nil
        } catch { return Problem(error).code }
    }

    @Test(
        "A token admits the given number of machines without approval, each under its own name",
        arguments: HouseholdGround.allCases
    )
    func machines(ground: HouseholdGround) throws {
        var home = try HouseholdBench(ground)
        let token = try token(home)
        let keys = try (0..<3).map { _ in try KeyPair.make().publicKey }
        let first = try #require(try join(home, token: token, key: keys[0]).device)
        #expect(try join(home, token: token, key: keys[0]).device == first, "again it is the same machine")
        home.bench = try home.bench.reopened()
        #expect(try join(home, token: token, key: keys[1]).device != nil)
        #expect(refusal(home, token: token, key: keys[2]) == "household.token_used_up")
        // A machine can change its people later.
        #expect(try join(home, token: token, key: keys[0], people: ["pupil", "other"]).device == first)
        let shown = try home.bench.ask(HouseholdShow.self, Empty())
        #expect(shown.devices.map(\.name).suffix(2) == ["pc", "pc 2"] && shown.guests.isEmpty)
        #expect(shown.members == ["anna", "other", "pupil"])
        #expect(shown.tokens?.map(\.joined) == [2])
    }

    @Test(
        "A machine without a disk returns as the same machine and receives its earlier rows",
        arguments: HouseholdGround.allCases
    )
    func comesBack(ground: HouseholdGround) throws {
        var home = try HouseholdBench(ground)
        let token = try token(home, machines: 1)
        let identity = String(repeating: "ab", count: 32)
        var told: [String] = []
        var device = ""
        var before: [UInt8]?
        for life in 0..<4 {
            let key = try KeyPair.make().publicKey
            let id = try #require(try join(home, token: token, key: key, identity: identity).device)
            #expect(life == 0 || id == device, "it is one machine, and used the token once")
            device = id
            let admitted = home.bench.state.admittedKeys(at: home.bench.time.now().wall)
            #expect(admitted[key] == .device(id) && before.flatMap { admitted[$0] } == nil)
            before = key
            #expect(try heard(home, device) == told.sorted(), "life \(life)")
            // The usage of this life, which the machine knows itself. Its rows have new ids.
            var stream = MachineStream(epoch: "life-\(life)")
            for _ in 0..<3 { stream.lives(member: "pupil") }
            for index in stream.rows.indices { stream.rows[index].segment += "/life-\(life)" }
            try tell(home, device: device, request: stream.request(0..<3, isBegin: true))
            // A person deletes a part of this life's usage.
            if life > 0 {
                stream.rows.removeLast()
                stream.epoch += "'"
                try tell(home, device: device, request: stream.request(0..<2, isBegin: true))
            }
            home.bench = try home.bench.reopened()
            if ground == .shared { try home.refresh() }
            #expect(try heard(home, device) == told.sorted(), "its own is not told it again")
            told += stream.rows.map(\.segment)
            let sums = HouseholdSums.Request(
                from: "2026-01-01",
                through: "2026-12-31",
                by: [.device],
                members: ["pupil"]
            )
            let known = try home.bench.ask(HouseholdSums.self, sums).sums
            #expect(known.map(\.ms) == [Int64(told.count) * 60_000])
            #expect(home.bench.state.devices.first { $0.id == device }?.rows == Int64(told.count))
        }
        let shown = try home.bench.ask(HouseholdShow.self, Empty())
        #expect(shown.devices.map(\.name).last == "pc" && shown.devices.last?.backAt != nil)
        #expect(shown.tokens?.map(\.joined) == [1])
        // A new record does not count as a changed one. Deleted rows are reported as missing.
        #expect(shown.devices.allSatisfy { $0.breaks?.allSatisfy { $0.missing == 1 } ?? true })
        #expect(refusal(home, token: token, key: try KeyPair.make().publicKey) == "household.token_used_up")
        for bad in ["", "ab", identity + "ab", String(repeating: "x", count: 64)] {
            let key = try KeyPair.make().publicKey
            #expect(throws: Problem.self) { try join(home, token: token, key: key, identity: bad) }
        }
        _ = try home.bench.ask(HouseholdRemove.self, .init(device: "pc"))
        let key = try KeyPair.make().publicKey
        let refused = #expect(throws: Problem.self) {
            try join(home, token: token, key: key, identity: identity)
        }
        #expect(refused?.code == "household.was_removed")
    }

    @Test(
        "A machine can replace its people, and the rows of earlier people stay when its record restarts",
        arguments: HouseholdGround.allCases
    )
    func accounts(ground: HouseholdGround) throws {
        let home = try HouseholdBench(ground)
        let device = try #require(
            try join(home, token: try token(home), key: try KeyPair.make().publicKey).device
        )
        var stream = MachineStream()
        for _ in 0..<2 { stream.lives(member: "pupil") }
        try tell(home, device: device, request: stream.request(0..<2, isBegin: true))
        func change(_ accounts: [HouseholdAccount]) throws -> String? {
            home.bench.remote = .device(device)
            defer { home.bench.remote = nil }
            return try home.bench.refusal(HouseholdAccounts.self, .init(accounts: accounts))?.code
        }
        let minji = HouseholdAccount(here: "minji", member: "minji")
        for bad in [[minji, minji], [HouseholdAccount(here: "a", member: "")]] {
            #expect(try change(bad) != nil)
        }
        // The new person replaces the first one.
        #expect(try change([minji]) == nil)
        stream.lives(member: "minji")
        try tell(home, device: device, request: stream.request(2..<3))
        stream.epoch = "anew"
        stream.rows.removeFirst(2)
        try tell(home, device: device, request: stream.request(0..<1, isBegin: true))
        let sums = HouseholdSums.Request(
            from: "2026-01-01",
            through: "2026-12-31",
            by: [.member],
            members: ["minji", "pupil"]
        )
        let known = try home.bench.ask(HouseholdSums.self, sums).sums
        #expect(known.map(\.ms).sorted() == [60_000, 120_000])
        home.bench.remote = .device(home.devices[0])
        let refused = try home.bench.refusal(HouseholdAccounts.self, .init(accounts: [minji]))
        #expect(refused?.code == "household.accounts_agreed")
    }

    @Test("A token ends after its days or when it is ended, and does not admit a removed machine")
    func ends() throws {
        let home = try HouseholdBench()
        var token = try token(home)
        let key = try KeyPair.make().publicKey
        _ = try join(home, token: token, key: key)
        _ = try home.bench.ask(HouseholdRemove.self, .init(device: "pc"))
        #expect(refusal(home, token: token, key: key) == "household.was_removed")
        home.bench.time.advance(byMs: 2 * Self.dayMs)
        let other = try KeyPair.make().publicKey
        #expect(refusal(home, token: token, key: other) == nil)
        home.bench.time.advance(byMs: Self.dayMs)
        #expect(refusal(home, token: token, key: try KeyPair.make().publicKey) == "household.invitation_over")
        token = try self.token(home)
        _ = try home.bench.ask(HouseholdToken.self, .init(machines: 1, days: 1, ends: true))
        #expect(refusal(home, token: token, key: try KeyPair.make().publicKey) == "household.invitation_over")
        // Ending a token does not end an invitation for one machine.
        let invited = try home.invite()
        _ = try home.bench.ask(HouseholdToken.self, .init(machines: 1, days: 1, ends: true))
        #expect(home.bench.state.invitations.map(\.id).contains(invited))
        for (machines, days) in [(Int64(0), Int64(1)), (1, 0), (10_001, 1), (1, 367), (.max, .max)] {
            let asked = HouseholdToken.Request(machines: machines, days: days)
            #expect(try home.bench.refusal(HouseholdToken.self, asked)?.code == "household.bad_token")
        }
    }

    @Test("A machine that joined with a token cannot loosen rules of a child as a guardian")
    func guardians() throws {
        let home = try HouseholdBench()
        let device = try #require(
            try join(
                home,
                token: try token(home),
                key: try KeyPair.make().publicKey,
                people: ["anna"],
                guardians: ["me"]
            ).device
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
        "A machine uses its new key from its announcement, and cannot take another machine's key",
        arguments: HouseholdGround.allCases
    )
    func renews(ground: HouseholdGround) throws {
        var home = try HouseholdBench(ground)
        let now = home.bench.time.now().wall
        let old = home.bench.state.devices.map(\.key)
        let new = try KeyPair.make().publicKey
        home.bench.remote = .device(home.devices[0])
        for bad in ["", "ab", TextFormat.hex(old[1])] {
            let refused = try home.bench.refusal(HouseholdRenew.self, .init(key: bad))
            #expect(refused?.code == "household.bad_key", "\(bad)")
        }
        let asked = HouseholdRenew.Request(key: TextFormat.hex(new))
        // The reply can be lost.
        for _ in 0..<2 { _ = try home.bench.ask(HouseholdRenew.self, asked) }
        home.bench = try home.bench.reopened()
        if ground == .shared { try home.refresh() }
        // A changed key causes an alarm, because a thief could have changed it.
        #expect(Hooks.alarms(home.bench.state, at: now).map(\.what) == ["key"])
        let admitted = home.bench.state.admittedKeys(at: now)
        #expect(admitted[new] == .device(home.devices[0]))
        #expect(admitted[old[0]] == nil)
        #expect(admitted[old[1]] == .device(home.devices[1]))
        home.bench.remote = .device(home.devices[0])
        let machines = try home.bench.ask(HouseholdMachines.self, .init(machine: "laptop"))
        #expect(machines.keys == [home.devices[0]: TextFormat.hex(new)])
    }

    @Test(
        "The household uses its new key once all machines know it, or immediately on request",
        arguments: HouseholdGround.allCases
    )
    func rekeys(ground: HouseholdGround) throws {
        let address = try ground.address()
        var home = try HouseholdBench(address: address)
        let old = try #require(home.bench.state.identity?.secret)
        _ = try home.invite()
        #expect(
            try home.bench.ask(HouseholdRekey.self, .init()) == .init(machines: 2, known: 0, isTaken: false)
        )
        let next = try #require(home.bench.state.identity?.next)
        let key = TextFormat.hex(try KeyPair(secret: next).publicKey)
        func tell(_ machine: Int, _ key: String?, _ count: Int) throws {
            var stream = MachineStream()
            for _ in 0..<count { stream.lives(member: machine == 0 ? "kid" : "kim") }
            var request = stream.request(0..<count, isBegin: true)
            request.nextKey = key
            _ = try home.push(machine, request)
        }
        // Other values do not confirm the new key.
        for other in [nil, "", String(repeating: "ab", count: 32)] { try tell(0, other, 1) }
        home.bench = try home.bench.reopened()
        if ground == .shared { try home.refresh() }
        #expect(try home.pull(0).nextKey == key, "it outlives a start")
        #expect(try home.bench.ask(HouseholdRekey.self, .init()).known == 0, "again it is the same key")
        try tell(0, key, 2)
        #expect(
            try home.bench.ask(HouseholdShow.self, Empty()).rekey
                == .init(machines: 2, known: 1, isTaken: false)
        )
        #expect(home.bench.state.identity?.secret == old)
        // A machine that joins again may have lost the new key.
        let laptop = home.bench.state.devices[0]
        _ = try home.knock(try home.invite(), name: "laptop", here: "kid", key: laptop.key)
        #expect(try home.bench.ask(HouseholdRekey.self, .init()).known == 0)
        try tell(0, key, 2)
        try tell(1, key, 1)
        #expect(home.bench.state.identity?.secret == next && home.bench.state.identity?.next == nil)
        #expect(home.bench.state.invitations.isEmpty, "they name the old one")
        #expect(try home.bench.ask(HouseholdShow.self, Empty()).rekey == nil)
        home.bench = try home.bench.reopened()
        if ground == .shared {
            try home.refresh()
            let beside = try HouseholdBench(beside: home, address: address)
            #expect(beside.bench.state.identity?.secret == next, "all services have it")
        }
        #expect(home.bench.state.identity?.secret == next)
        // The household changes its key immediately only after announcing it.
        for isTaken in [false, true] {
            let reply = try home.bench.ask(HouseholdRekey.self, .init(now: true))
            #expect(reply == .init(machines: 2, known: 0, isTaken: isTaken))
            #expect((home.bench.state.identity?.secret == next) == !isTaken)
        }
    }

    @Test("A machine reads the usage of a newly added person from the beginning")
    func comes() throws {
        var link = try CoreBench(LinkService.definition())
        let keys = try KeyPair.make()
        let people = ["anna", "ben"].map { HouseholdAccount(here: $0, member: $0) }
        _ = try link.step { state, _, change in
            var membership = LinkServiceState.Membership(
                address: "127.0.0.1:7415",
                server: keys.publicKey,
                secret: keys.secret,
                invitation: nil,
                number: "1",
                accounts: Array(people.prefix(1))
            )
            // The household can also report places of people whom this machine does not know.
            (membership.read, membership.places) = (["anna": 5, "ben": 7], "places")
            try state.setMembership(membership, change.database)
            try LinkSteps.setAccounts(people, of: membership, state: &state, change: change)
        }
        link = try link.reopened()
        #expect(link.state.membership?.accounts == people)
        #expect(link.state.membership?.read == ["anna": 5] && link.state.membership?.places == "places")
    }

    @Test(
        "A machine that is renewing its key cannot leave before the household knows the key, also after a restart"
    )
    func waits() throws {
        var link = try CoreBench(LinkService.definition())
        let keys = try KeyPair.make()
        func hear(_ isConnected: Bool) throws {
            _ = try link.step { state, _, _ in state.contact.isConnected = isConnected }
        }
        _ = try link.step { state, _, change in
            let membership = LinkServiceState.Membership(
                address: "127.0.0.1:7415",
                server: keys.publicKey,
                secret: keys.secret,
                invitation: nil,
                number: "1",
                accounts: []
            )
            try state.setMembership(membership, change.database)
        }
        for _ in 0..<2 { _ = try link.ask(LinkRenew.self, Empty()) }
        link = try link.reopened()
        let next = try #require(link.state.membership?.next)
        #expect(link.state.membership?.secret == keys.secret && next != keys.secret)
        try hear(true)
        #expect(try link.refusal(LinkLeave.self, .init())?.code == "household.renewing")
        // The machine discards a key that the household rejects.
        _ = try link.step { try LinkSteps.completeRenewal(of: next, isTaken: false, &$0, $2) }
        #expect(link.state.membership?.next == nil && link.state.secret == keys.secret)
        _ = try link.ask(LinkRenew.self, Empty())
        let newest = try #require(link.state.membership?.next)
        _ = try link.step { try LinkSteps.completeRenewal(of: newest, isTaken: true, &$0, $2) }
        link = try link.reopened()
        #expect(link.state.membership?.secret == link.state.secret && link.state.secret != keys.secret)
        _ = try link.ask(LinkRenew.self, Empty())
        // A machine can leave a household that is unreachable.
        try hear(false)
        #expect(try link.refusal(LinkLeave.self, .init()) == nil)
        #expect(link.state.membership == nil)
    }
}
