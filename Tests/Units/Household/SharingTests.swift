import STBus
import STContracts
import STCrypto
import STHouseholdCore
import STPlatform
import STTestKit
import STTestSupport
import Testing

/// A household of two machines that have one person in common.
struct HouseholdBench {
    var bench: CoreBench<HouseholdState>
    private(set) var devices: [String] = []

    private let stores: HouseholdStores

    init(_ ground: HouseholdGround = .file, keepDays: Int64 = 0) throws {
        try self.init(address: ground.address(), keepDays: keepDays)
    }

    /// Another service over the same database.
    init(beside other: HouseholdBench, address: String) throws {
        stores = HouseholdStores(address)
        bench = try CoreBench(HouseholdService.definition(stores))
        devices = other.devices
        _ = try bench.ask(HouseholdStart.self, .init(address: "127.0.0.1:7416"))
    }

    /// As the companion does when it hears of another service.
    func refresh() throws {
        try bench.step(HouseholdSteps(stores).refresh)
    }

    /// As the companion does once a day.
    func forgetOld() throws {
        try bench.step(HouseholdSteps(stores).forgetOld)
    }

    /// All that a machine has, in pages, as it does after it began anew.
    func tellAll(_ machine: Int, _ stream: MachineStream) throws {
        var from = 0
        repeat {
            let end = min(stream.rows.count, from + 300)
            _ = try push(machine, stream.request(from..<end, isBegin: true))
            from = end
        } while from < stream.rows.count
    }

    init(address: String, keepDays: Int64 = 0) throws {
        stores = HouseholdStores(address, keepDays: keepDays)
        bench = try CoreBench(HouseholdService.definition(stores))
        _ = try bench.ask(HouseholdStart.self, .init(address: "127.0.0.1:7415"))
        for (name, here) in [("laptop", "kid"), ("desktop", "kim")] {
            let invitation = try invite()
            let number = try knock(invitation, name: name, here: here)
            bench.remote = nil
            devices.append(try bench.ask(HouseholdConfirm.self, .init(number: number)).device.device)
        }
    }

    /// Makes an invitation, and answers its id.
    func invite() throws -> String {
        _ = try bench.ask(HouseholdInvite.self, Empty())
        return bench.state.invitations.last?.id ?? ""
    }

    /// Answers the number that both machines show.
    func knock(_ invitation: String, name: String, here: String, key: [UInt8]? = nil) throws -> String {
        try knock(invitation, name: name, accounts: [(here, "anna")], key: key)
    }

    func knock(
        _ invitation: String,
        name: String,
        accounts: [(here: String, member: String)],
        guardians: [String]? = nil,
        key: [UInt8]? = nil,
        isProtected: Bool = true
    ) throws -> String {
        bench.remote = .invitation(invitation)
        defer { bench.remote = nil }
        let request = HouseholdJoin.Request(
            name: name,
            key: TextFormat.hex(try key ?? KeyPair.make().publicKey),
            accounts: accounts.map { HouseholdAccount(here: $0.here, member: $0.member) },
            guardians: guardians,
            isProtected: isProtected
        )
        return try bench.ask(HouseholdJoin.self, request).number ?? ""
    }

    func push(_ machine: Int, _ request: HouseholdPush.Request) throws -> HouseholdCursor {
        bench.remote = .device(devices[machine])
        defer { bench.remote = nil }
        return try bench.ask(HouseholdPush.self, request).cursor
    }

    func pull(_ machine: Int, after: [String: Int64] = [:]) throws -> HouseholdPull.Reply {
        bench.remote = .device(devices[machine])
        defer { bench.remote = nil }
        let places = bench.state.own?.places
        return try bench.ask(
            HouseholdPull.self,
            .init(after: after, news: -1, waitMs: 0, places: places, holding: [])
        )
    }

    /// All that a machine hears of the others.
    func heard(_ machine: Int) throws -> [Segment] {
        var rows: [Segment] = []
        var after: [String: Int64] = [:]
        while true {
            let reply = try pull(machine, after: after)
            rows += reply.rows
            after = reply.through
            if !reply.more { return rows }
        }
    }
}

/// The stream `usage` of one machine, as link-service reads it.
struct MachineStream {
    static let wallMs: Int64 = 1_790_000_000_000

    var epoch: String
    var rows: [Segment]
    /// Also of those that were deleted since.
    private var made: Int64 = 0

    init(epoch: String = "first", rows: [Segment] = []) {
        self.epoch = epoch
        self.rows = rows
    }

    func cursor(_ count: Int) -> HouseholdCursor {
        HouseholdCursor(epoch: epoch, sequence: Int64(count), id: count == 0 ? nil : "\(epoch)-\(count)")
    }

    /// Rows from one place to another; from the beginning it takes several requests, the last of which is whole.
    func request(_ range: Range<Int>, isBegin: Bool = false, open: [OpenStretch] = [], wallMs: Int64 = wallMs)
        -> HouseholdPush.Request
    {
        HouseholdPush.Request(
            after: isBegin ? HouseholdCursor() : cursor(range.lowerBound),
            through: isBegin ? cursor(rows.count) : cursor(range.upperBound),
            rows: Array(rows[range]),
            open: open,
            isWhole: range.upperBound == rows.count,
            wallMs: wallMs
        )
    }

    mutating func lives(_ app: String = "game", minutes: Int64 = 1, member: String = "kid") {
        rows.append(Self.segment(made, app: app, minutes: minutes, member: member))
        made += 1
    }

    static func segment(_ number: Int64, app: String = "game", minutes: Int64 = 1, member: String = "kid")
        -> Segment
    {
        let startMs = number * 600_000
        return Segment(
            segment: "agent/run/\(number)",
            agent: "agent",
            run: "run",
            sequence: number + 1,
            member: member,
            presence: .active,
            app: app,
            domain: nil,
            bootId: "boot",
            startBootMs: startMs,
            endBootMs: startMs + minutes * 60_000,
            startWallMs: wallMs - 86_400_000 + startMs,
            zone: "UTC"
        )
    }
}

@Suite("What machines tell a household", .postgres)
struct SharingTests {
    @Test(
        "comes to the other machines with the household's names, once, with answers lost, doubled or late",
        arguments: HouseholdGround.allCases
    )
    func once(ground: HouseholdGround) throws {
        for seed in UInt64(1)...12 {
            var random = SeededRandom(seed: seed)
            var home = try HouseholdBench(ground)
            var stream = MachineStream()
            var sent: [HouseholdPush.Request] = []
            var known = HouseholdCursor()
            for _ in 0..<60 {
                switch random.number(0...9) {
                case 0...4: stream.lives(minutes: random.number(0...5))
                case 5:
                    // An old request comes once more.
                    if let old = random.pick(sent) { known = try home.push(0, old) }
                case 6: home.bench = try home.bench.reopened()
                case 7 where random.chance(percent: 30):
                    // A person has deleted a part: the stream begins anew.
                    stream.epoch += "'"
                    if !stream.rows.isEmpty {
                        stream.rows.remove(at: random.number(0...(stream.rows.count - 1)))
                    }
                default:
                    // The answer may be lost.
                    let answer = try tell(home, stream, from: known, &random, &sent)
                    if !random.chance(percent: 30) { known = answer }
                }
            }
            // In the end the machine is heard to the end.
            for _ in 0..<100 where known != stream.cursor(stream.rows.count) {
                known = try tell(home, stream, from: known, &random, &sent)
            }
            #expect(known == stream.cursor(stream.rows.count), "seed \(seed)")
            let heard = try home.heard(1)
            #expect(
                heard.map(\.segment).sorted() == stream.rows.map(\.segment).sorted(),
                "seed \(seed)"
            )
            #expect(heard.allSatisfy { $0.member == "anna" && $0.device == home.devices[0] })
            #expect(try home.heard(0).isEmpty)
        }
    }

    /// As link-service does: from where the household stands, in pages.
    private func tell(
        _ home: HouseholdBench,
        _ stream: MachineStream,
        from known: HouseholdCursor,
        _ random: inout SeededRandom,
        _ sent: inout [HouseholdPush.Request]
    ) throws -> HouseholdCursor {
        if known.epoch == stream.epoch, let place = known.sequence.map(Int.init), place <= stream.rows.count {
            let end = random.number(place...stream.rows.count)
            let request = stream.request(place..<end)
            sent.append(request)
            return try home.push(0, request)
        }
        var answer = HouseholdCursor()
        var from = 0
        repeat {
            let end = min(stream.rows.count, from + random.number(1...20))
            let request = stream.request(from..<end, isBegin: true)
            sent.append(request)
            answer = try home.push(0, request)
            from = end
            // It was killed in the middle.
            if from < stream.rows.count, random.chance(percent: 10) { return answer }
        } while from < stream.rows.count
        return answer
    }

    @Test(
        "a request that does not follow on what the household has is not taken, and says where it stands",
        arguments: HouseholdGround.allCases
    )
    func gap(ground: HouseholdGround) throws {
        let home = try HouseholdBench(ground)
        var stream = MachineStream()
        for _ in 0..<5 { stream.lives() }
        _ = try home.push(0, stream.request(0..<0, isBegin: true))
        let whole = MachineStream(epoch: stream.epoch, rows: Array(stream.rows[..<2]))
        #expect(try home.push(0, whole.request(0..<2, isBegin: true)) == stream.cursor(2))
        #expect(try home.push(0, stream.request(3..<5)) == stream.cursor(2))
        #expect(try home.heard(1).count == 2)
        #expect(try home.push(0, stream.request(2..<5)) == stream.cursor(5))
        // From the beginning once more, as a machine asks again that waits long for an answer.
        #expect(try home.push(0, stream.request(0..<3, isBegin: true)) == stream.cursor(5))
        // What it has already is not taken again, nor does it go back.
        #expect(try home.push(0, stream.request(2..<4)) == stream.cursor(5))
        #expect(try home.heard(1).count == 5)
    }

    @Test(
        "what is under way grows older until it comes again, and goes with its machine",
        arguments: HouseholdGround.allCases
    )
    func open(ground: HouseholdGround) throws {
        let home = try HouseholdBench(ground)
        let stream = MachineStream()
        let open = OpenStretch(segment: MachineStream.segment(3), agoMs: 500)
        _ = try home.push(0, stream.request(0..<0, isBegin: true, open: [open]))
        let before = try home.pull(1)
        #expect(before.open.map(\.agoMs) == [500])
        #expect(before.open.map(\.segment.member) == ["anna"])
        home.bench.time.advance(byMs: 2_000)
        #expect(try home.pull(1).open.map(\.agoMs) == [2_500])
        #expect(try home.pull(0).open.isEmpty)
        _ = try home.bench.ask(HouseholdRemove.self, .init(device: "laptop"))
        let after = try home.pull(1)
        #expect(after.open.isEmpty && after.news > before.news)
    }

    @Test(
        "a false clock moves no row by more than it is wrong, and what lies far ahead is left out",
        arguments: HouseholdGround.allCases
    )
    func clocks(ground: HouseholdGround) throws {
        let home = try HouseholdBench(ground)
        var stream = MachineStream()
        stream.lives()
        let year: Int64 = 365 * 86_400_000
        for index in stream.rows.indices { stream.rows[index].startWallMs -= year }
        _ = try home.push(0, stream.request(0..<1, isBegin: true, wallMs: MachineStream.wallMs - year))
        #expect(try home.heard(1).map(\.startWallMs) == [MachineStream.segment(0).startWallMs])
        #expect(try home.bench.ask(HouseholdShow.self, Empty()).devices.map(\.clockOffMs) == [year, nil])
        // A little ahead is drawn back to now: machines do not take what is in the future.
        stream.lives()
        stream.rows[1].startWallMs = home.bench.time.now().wallMs + 3_600_000 - year
        _ = try home.push(0, stream.request(1..<2, wallMs: MachineStream.wallMs - year))
        let last = try #require(home.heard(1).last)
        #expect(last.startWallMs + last.durationMs == home.bench.time.now().wallMs)
        stream.lives()
        stream.rows[2].startWallMs += 3 * year
        _ = try home.push(0, stream.request(2..<3))
        #expect(try home.heard(1).count == 2)
    }

    @Test("what cannot be is refused, and nothing of it is kept", arguments: HouseholdGround.allCases)
    func refused(ground: HouseholdGround) throws {
        let home = try HouseholdBench(ground)
        var stream = MachineStream()
        stream.lives()
        func code(_ change: (inout HouseholdPush.Request) -> Void) throws -> String? {
            var request = stream.request(0..<1, isBegin: true)
            change(&request)
            home.bench.remote = .device(home.devices[0])
            defer { home.bench.remote = nil }
            return try home.bench.refusal(HouseholdPush.self, request)?.code
        }
        #expect(try code { $0.through = HouseholdCursor() } == "household.bad_cursor")
        #expect(try code { $0.wallMs = .max } == "household.bad_clock")
        #expect(try code { $0.wallMs = .min } == "household.bad_clock")
        #expect(try code { $0.open = [OpenStretch(segment: $0.rows[0], agoMs: -1)] } == "household.bad_clock")
        #expect(
            try code { $0.open = [OpenStretch(segment: $0.rows[0], agoMs: .max)] } == "household.bad_clock"
        )
        #expect(
            try code { $0.rows = Array(repeating: $0.rows[0], count: 501) } == "household.too_many_rows"
        )
        #expect(try home.heard(1).isEmpty)
        // A bad stretch is left out, and what comes with it is taken.
        let bad: [(inout Segment) -> Void] = [
            { $0.endBootMs = -1 }, { $0.endBootMs = .max }, { $0.device = "another" },
            { $0.startWallMs = .min }, { $0.sequence = .min },
            { $0.app = String(repeating: "a", count: 100_000) },
        ]
        for (index, change) in bad.enumerated() {
            stream.lives()
            stream.lives()
            var request = stream.request((2 * index + 1)..<(2 * index + 3))
            if index == 0 { request = stream.request(0..<3, isBegin: true) }
            change(&request.rows[request.rows.count - 2])
            request.rows.removeAll { $0.segment == "agent/run/0" }
            home.bench.remote = .device(home.devices[0])
            let reply = try home.bench.ask(HouseholdPush.self, request)
            home.bench.remote = nil
            #expect(reply.why?.code == "household.bad_row")
            #expect(reply.cursor == request.through)
            #expect(try home.heard(1).count == index + 1)
        }
        #expect(try home.bench.ask(HouseholdShow.self, Empty()).devices[0].aside == Int64(bad.count))
        // A person whom the machine does not share is left out.
        stream.lives(member: "lee")
        _ = try home.push(0, stream.request((2 * bad.count + 1)..<(2 * bad.count + 2)))
        #expect(try home.heard(1).count == bad.count)
        home.bench.remote = .device("unknown")
        #expect(
            try home.bench.refusal(HouseholdPush.self, stream.request(0..<1))?.code
                == "household.not_a_member"
        )
    }
}

@Suite("How a machine joins a household", .postgres)
struct JoiningTests {
    @Test(
        "an invitation is for one machine and ten minutes, and a number lets in the machine that shows it",
        arguments: HouseholdGround.allCases
    )
    func invitation(ground: HouseholdGround) throws {
        var home = try HouseholdBench(ground)
        let invitation = try home.invite()
        let number = try home.knock(
            invitation,
            name: "laptop",
            here: "kid",
            key: Array(repeating: 7, count: 32)
        )
        #expect(number.utf8.count == 6)
        // The same machine asks again, another one may not.
        #expect(
            try home.knock(invitation, name: "laptop", here: "kid", key: Array(repeating: 7, count: 32))
                == number
        )
        #expect(
            refusal { _ = try home.knock(invitation, name: "tablet", here: "kid") }
                == "household.invitation_used"
        )
        let wrong = try home.bench.refusal(
            HouseholdConfirm.self,
            .init(number: number == "000000" ? "1" : "000000")
        )
        #expect(wrong?.code == "household.unknown_number")
        home.bench = try home.bench.reopened()
        let device = try home.bench.ask(HouseholdConfirm.self, .init(number: number)).device
        // Not even after the first was let in.
        #expect(
            refusal { _ = try home.knock(invitation, name: "tablet", here: "kid") }
                == "household.invitation_used"
        )
        #expect(device.name == "laptop 2")
        #expect(home.bench.state.admitted(wallMs: 0).count == 6)
        home.bench.time.advance(byMs: HouseholdInvite.lastsMs)
        let wallMs = home.bench.time.now().wallMs
        #expect(home.bench.state.admitted(wallMs: wallMs).count == 3)
        #expect(home.bench.state.dueMs(after: wallMs) == nil)
        #expect(
            refusal { _ = try home.knock(invitation, name: "late", here: "kid") }
                == "household.invitation_over"
        )
    }

    @Test(
        "a machine that was put out has no key any more, and its name and rows stay for the others",
        arguments: HouseholdGround.allCases
    )
    func removal(ground: HouseholdGround) throws {
        let home = try HouseholdBench(ground)
        var stream = MachineStream()
        stream.lives()
        _ = try home.push(0, stream.request(0..<1, isBegin: true))
        #expect(
            try home.bench.refusal(HouseholdRemove.self, .init(device: "lapto"))?.message.contains("laptop?")
                == true
        )
        #expect(try home.bench.ask(HouseholdRemove.self, .init(device: "laptop")).rows == 1)
        #expect(refusal { _ = try home.push(0, stream.request(1..<1)) } == "household.not_a_member")
        let heard = try home.pull(1)
        #expect(heard.rows.count == 1)
        #expect(heard.devices.contains { $0.device == home.devices[0] && $0.name == "laptop" })
        #expect(try home.bench.ask(HouseholdShow.self, Empty()).devices.map(\.name) == ["desktop"])
    }

    @Test(
        "a machine that left and comes back with its key is the one that it was, and nothing counts twice",
        arguments: HouseholdGround.allCases
    )
    func comesBack(ground: HouseholdGround) throws {
        let home = try HouseholdBench(ground)
        let key = home.bench.state.devices[0].key
        var stream = MachineStream()
        stream.lives()
        _ = try home.push(0, stream.request(0..<1, isBegin: true))
        _ = try home.bench.ask(HouseholdRemove.self, .init(device: "laptop"))
        let number = try home.knock(try home.invite(), name: "laptop", here: "kid", key: key)
        #expect(home.bench.state.guests.count == 1)
        let back = try home.bench.ask(HouseholdConfirm.self, .init(number: number)).device
        #expect(back.device == home.devices[0] && back.name == "laptop")
        _ = try home.push(0, stream.request(0..<1, isBegin: true))
        #expect(try home.heard(1).count == 1)
        #expect(try home.heard(0).isEmpty)
        // With another person it takes a word again, and all that the machine knows.
        let again = try home.knock(try home.invite(), name: "laptop", here: "ben", key: key)
        _ = try home.bench.ask(HouseholdConfirm.self, .init(number: again))
        #expect(home.bench.state.devices[0].cursor == HouseholdCursor())
    }

    @Test(
        "what a machine has deleted is gone, and the others learn that and which rows it was",
        arguments: HouseholdGround.allCases
    )
    func deleted(ground: HouseholdGround) throws {
        var home = try HouseholdBench(ground)
        var stream = MachineStream()
        for _ in 0..<5 { stream.lives() }
        try home.tellAll(0, stream)
        #expect(try home.pull(1).forgets == [:])
        // A person deletes two rows: the machine's stream begins anew without them.
        let gone = [stream.rows.remove(at: 3), stream.rows.remove(at: 1)].map(\.segment)
        stream.epoch = "second"
        try home.tellAll(0, stream)
        #expect(try home.pull(1).forgets == [home.devices[0]: 1])
        #expect(try home.pull(0).forgets == [:])
        home.bench = try home.bench.reopened()
        if ground == .shared { try home.refresh() }
        #expect(try home.pull(1).forgets == [home.devices[0]: 1])
        home.bench.remote = .device(home.devices[1])
        defer { home.bench.remote = nil }
        let asked = HouseholdGone.Request(
            device: home.devices[0],
            segments: gone + stream.rows.map(\.segment)
        )
        #expect(try home.bench.ask(HouseholdGone.self, asked).gone == gone)
        // Begun anew with all that it had, nothing was deleted.
        home.bench.remote = nil
        stream.epoch = "third"
        try home.tellAll(0, stream)
        #expect(try home.pull(1).forgets == [home.devices[0]: 1])
    }

    @Test("after an older copy of its records was put back, machines read from the beginning")
    func restored() throws {
        let home = try HouseholdBench()
        var stream = MachineStream()
        for _ in 0..<5 { stream.lives() }
        _ = try home.push(0, stream.request(0..<5, isBegin: true))
        let first = try home.pull(1)
        #expect(first.rows.count == 5 && first.through == ["anna": 5])
        home.bench.remote = .device(home.devices[1])
        func pull(_ places: String) throws -> Int {
            let request = HouseholdPull.Request(after: first.through, news: 0, waitMs: 0, places: places)
            return try home.bench.ask(HouseholdPull.self, request).rows.count
        }
        #expect(try pull(first.places) == 0)
        #expect(try pull("those of before") == 5)
    }

    @Test("a page of long names fits into a reply", arguments: HouseholdGround.allCases)
    func pages(ground: HouseholdGround) throws {
        let home = try HouseholdBench(ground)
        var stream = MachineStream()
        for number in 0..<270 {
            stream.lives(String(repeating: "a", count: 240) + "\(number)")
            stream.rows[number].domain = String(repeating: "b", count: 250)
        }
        var from = 0
        for end in [90, 180, 270] {
            _ = try home.push(0, stream.request(from..<end, isBegin: true))
            from = end
        }
        #expect(try home.pull(1).rows.count < 150)
        #expect(try home.heard(1).count == 270)
    }

    @Test("a code is read as it was written, and no other text is")
    func code() throws {
        let keys = try KeyPair.make()
        let code = InvitationCode(address: "[fe80::1]:7415", server: keys.publicKey, secret: keys.secret)
        #expect(try InvitationCode(code.text) == code)
        var random = SeededRandom(seed: 21)
        for _ in 0..<2_000 {
            var text = Array(code.text.utf8)
            let place = random.number(0...(text.count - 1))
            if random.chance(percent: 50) {
                text.remove(at: place)
            } else {
                text[place] = random.number(0...127)
            }
            guard let read = try? InvitationCode(String(decoding: text, as: UTF8.self)) else { continue }
            // A letter of a key or of the address may be another one; never is it something else.
            #expect(read.server.count == 32 && read.secret.count == 32 && read.address.contains(":"))
        }
        for address in [
            "", "host", ":1", "host:0", "host:65536", "host:1;reboot", "a b:1",
            String(repeating: "a", count: 300) + ":1",
        ] {
            #expect(refusal { _ = try InvitationCode.checked(address: address) } == "household.bad_address")
        }
    }
}

/// The code with which something was refused.
func refusal(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch {
        return Problem(error).code
    }
}
