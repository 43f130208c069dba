import STBus
import STContracts
import STCrypto
import STHouseholdCore
import STPlatform
import STTestKit
import STTestSupport
import Testing

/// A household of two machines that share one person.
struct HouseholdBench {
    var bench: CoreBench<HouseholdState>
    private(set) var devices: [String] = []

    private let stores: HouseholdStores

    init(_ ground: HouseholdGround = .file, keepDays: Int64 = 0) throws {
        try self.init(address: ground.address(), keepDays: keepDays)
    }

    /// Another service with the same database.
    init(beside other: HouseholdBench, address: String) throws {
        stores = HouseholdStores(address)
        bench = try CoreBench(HouseholdService.definition(stores))
        devices = other.devices
        _ = try bench.ask(HouseholdStart.self, .init(address: "127.0.0.1:7416"))
    }

    /// The refresh that the service's worker makes after a change by another service.
    func refresh() throws {
        try bench.step(HouseholdSteps(stores).refresh)
    }

    /// The daily deletion of the service's worker.
    func forgetOld() throws {
        try bench.step(HouseholdSteps(stores).deleteOldUsage)
    }

    /// Sends all rows of a machine in pages, like after a restart of its record.
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

    /// Creates an invitation and returns its id.
    func invite() throws -> String {
        _ = try bench.ask(HouseholdInvite.self, Empty())
        return bench.state.invitations.last?.id ?? ""
    }

    /// Requests to join. Returns the number that both machines show.
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
        let places = bench.state.identity?.places
        return try bench.ask(
            HouseholdPull.self,
            .init(after: after, news: -1, waitMs: 0, places: places, holding: [])
        )
    }

    /// All rows that a machine receives from the others.
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

/// The stream `usage` of one machine in the form in which link-service reads it.
struct MachineStream {
    static let wallMs: Int64 = 1_790_000_000_000

    var epoch: String
    var rows: [Segment]
    /// Number of rows ever made, including deleted ones.
    private var made: Int64 = 0

    init(epoch: String = "first", rows: [Segment] = []) {
        self.epoch = epoch
        self.rows = rows
    }

    func cursor(_ count: Int) -> HouseholdCursor {
        HouseholdCursor(epoch: epoch, sequence: Int64(count), id: count == 0 ? nil : "\(epoch)-\(count)")
    }

    /// A request with a range of rows. From the beginning it takes several requests, the last of which is complete.
    func request(
        _ range: Range<Int>,
        isBegin: Bool = false,
        open: [OpenUsageInterval] = [],
        wallMs: Int64 = wallMs
    )
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

@Suite("Usage that machines send to a household", .postgres)
struct SharingTests {
    @Test(
        "Usage reaches the other machines once under the household's names, despite lost, repeated or late replies",
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
                    // A repetition of an old request.
                    if let old = random.pick(sent) { known = try home.push(0, old) }
                case 6: home.bench = try home.bench.reopened()
                case 7 where random.chance(percent: 30):
                    // A person has deleted a part, so the stream restarts.
                    stream.epoch += "'"
                    if !stream.rows.isEmpty {
                        stream.rows.remove(at: random.number(0...(stream.rows.count - 1)))
                    }
                default:
                    // The reply can be lost.
                    let answer = try tell(home, stream: stream, from: known, random: &random, sent: &sent)
                    if !random.chance(percent: 30) { known = answer }
                }
            }
            // In the end, the machine sends all rows.
            for _ in 0..<100 where known != stream.cursor(stream.rows.count) {
                known = try tell(home, stream: stream, from: known, random: &random, sent: &sent)
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

    /// Sends from the household's position in pages, like link-service.
    private func tell(
        _ home: HouseholdBench,
        stream: MachineStream,
        from known: HouseholdCursor,
        random: inout SeededRandom,
        sent: inout [HouseholdPush.Request]
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
            // The machine was killed during the upload.
            if from < stream.rows.count, random.chance(percent: 10) { return answer }
        } while from < stream.rows.count
        return answer
    }

    @Test(
        "A request that does not continue the stored rows is ignored, and the reply contains the current position",
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
        // A restart from the beginning, like a machine that repeats a slow request.
        #expect(try home.push(0, stream.request(0..<3, isBegin: true)) == stream.cursor(5))
        // Rows that the household already has are neither stored again nor do they move its position back.
        #expect(try home.push(0, stream.request(2..<4)) == stream.cursor(5))
        #expect(try home.heard(1).count == 5)
    }

    @Test(
        "Current usage ages until the next report, and ends when its machine is removed",
        arguments: HouseholdGround.allCases
    )
    func open(ground: HouseholdGround) throws {
        let home = try HouseholdBench(ground)
        let stream = MachineStream()
        let open = OpenUsageInterval(segment: MachineStream.segment(3), agoMs: 500)
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
        "A wrong clock does not move rows by more than its error, and rows far in the future are left out",
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
        // Rows slightly in the future are moved back to now, because machines reject rows in the future.
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

    @Test(
        "Invalid requests are rejected, and invalid or foreign rows are left out",
        arguments: HouseholdGround.allCases
    )
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
        #expect(
            try code { $0.open = [OpenUsageInterval(segment: $0.rows[0], agoMs: -1)] }
                == "household.bad_clock"
        )
        #expect(
            try code { $0.open = [OpenUsageInterval(segment: $0.rows[0], agoMs: .max)] }
                == "household.bad_clock"
        )
        #expect(
            try code { $0.rows = Array(repeating: $0.rows[0], count: 501) } == "household.too_many_rows"
        )
        #expect(try home.heard(1).isEmpty)
        // Invalid rows are left out, and the valid rows of the request are stored.
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

@Suite("Joining a household", .postgres)
struct JoiningTests {
    @Test(
        "An invitation is valid for one machine and ten minutes, and its number approves that machine",
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
        // The same machine can repeat the request. Another one cannot use the invitation.
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
        // The invitation stays used after the approval.
        #expect(
            refusal { _ = try home.knock(invitation, name: "tablet", here: "kid") }
                == "household.invitation_used"
        )
        #expect(device.name == "laptop 2")
        #expect(home.bench.state.admittedKeys(at: WallTime(ms: 0)).count == 6)
        home.bench.time.advance(byMs: HouseholdInvite.lastsMs)
        let now = home.bench.time.now().wall
        #expect(home.bench.state.admittedKeys(at: now).count == 3)
        #expect(home.bench.state.nextEnd(after: now) == nil)
        #expect(
            refusal { _ = try home.knock(invitation, name: "late", here: "kid") }
                == "household.invitation_over"
        )
    }

    @Test(
        "A removed machine cannot send, and its name and rows remain for the others",
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
        "A machine that returns with its key is the same machine, and its rows count once",
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
        #expect(home.bench.state.pendingMachines.count == 1)
        let back = try home.bench.ask(HouseholdConfirm.self, .init(number: number)).device
        #expect(back.device == home.devices[0] && back.name == "laptop")
        _ = try home.push(0, stream.request(0..<1, isBegin: true))
        #expect(try home.heard(1).count == 1)
        #expect(try home.heard(0).isEmpty)
        // With another person, the machine needs a new approval and sends all of its rows.
        let again = try home.knock(try home.invite(), name: "laptop", here: "ben", key: key)
        _ = try home.bench.ask(HouseholdConfirm.self, .init(number: again))
        #expect(home.bench.state.devices[0].cursor == HouseholdCursor())
    }

    @Test(
        "The other machines learn which rows a machine has deleted",
        arguments: HouseholdGround.allCases
    )
    func deleted(ground: HouseholdGround) throws {
        var home = try HouseholdBench(ground)
        var stream = MachineStream()
        for _ in 0..<5 { stream.lives() }
        try home.tellAll(0, stream)
        #expect(try home.pull(1).forgets == [:])
        // A person deletes two rows, so the stream of the machine restarts without them.
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
        // A restart with all rows deletes nothing.
        home.bench.remote = nil
        stream.epoch = "third"
        try home.tellAll(0, stream)
        #expect(try home.pull(1).forgets == [home.devices[0]: 1])
    }

    @Test("After an older copy of the household's records is restored, machines read from the beginning")
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

    @Test("Pages of rows with long names fit into replies", arguments: HouseholdGround.allCases)
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

    @Test("An invitation code is read back, and a damaged one is rejected or has valid parts")
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
            // A letter of a key or of the address may change, but the parts stay valid.
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

/// The code of the problem.
func refusal(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch {
        return Problem(error).code
    }
}
