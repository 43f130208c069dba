import STBus
import STContracts
import STHouseholdCore
import STPlatform
import STTestKit
import STTestSupport
import Testing

@Suite("Forged rows that are sent with the key of one machine", .postgres)
struct ForgedRowTests {
    private func push(_ home: HouseholdBench, _ request: HouseholdPush.Request) throws -> HouseholdPush.Reply
    {
        home.bench.remote = .device(home.devices[0])
        defer { home.bench.remote = nil }
        return try home.bench.ask(HouseholdPush.self, request)
    }

    private func device(_ home: HouseholdBench) throws -> HouseholdDevice {
        try #require(try home.bench.ask(HouseholdShow.self, Empty()).devices.first { $0.name == "laptop" })
    }

    @Test("Overlapping rows of a person are rejected", arguments: HouseholdGround.allCases)
    func overlapping(ground: HouseholdGround) throws {
        let home = try HouseholdBench(ground)
        var stream = MachineStream()
        stream.lives()
        _ = try home.push(0, stream.request(0..<1, isBegin: true))
        // The same minute a hundred times, and a hundred times more with a new boot id each.
        for number in Int64(1)...200 {
            var row = stream.rows[0]
            row.segment = "forged/\(number)"
            if number > 100 { row.bootId = "boot-\(number)" }
            stream.rows.append(row)
        }
        stream.lives()
        let reply = try push(home, stream.request(1..<stream.rows.count))
        #expect(reply.why?.code == "household.overlapping")
        // The machine's clock may have been set back a few times, so a few rows are admitted.
        let forged = try home.heard(1).map(\.segment).filter { $0.hasPrefix("forged") }
        #expect(forged.count <= 8)
        #expect(try device(home).aside ?? 0 > 0)
    }

    @Test("Rows of one hour with rising boot times are rejected after the clock was set back a few times")
    func sameHour() throws {
        let home = try HouseholdBench()
        var stream = MachineStream()
        stream.lives(minutes: 10)
        _ = try home.push(0, stream.request(0..<1, isBegin: true))
        for number in Int64(1)...100 {
            var row = stream.rows[0]
            row.segment = "forged/\(number)"
            (row.startBootMs, row.endBootMs) = (number * 600_000, (number + 1) * 600_000)
            stream.rows.append(row)
        }
        #expect(try push(home, stream.request(1..<stream.rows.count)).why?.code == "household.overlapping")
        #expect(try home.heard(1).count <= 10)
    }

    @Test(
        "Rows of a machine with small clock corrections or a wrong clock at each boot are accepted"
    )
    func honest() throws {
        for seed in UInt64(1)...20 {
            var random = SeededRandom(seed: seed)
            let home = try HouseholdBench()
            var stream = MachineStream()
            var (bootMs, offsetMs, boot) = (Int64(0), Int64(0), 1)
            for number in Int64(0)..<200 {
                if random.chance(percent: 3), boot < 7 {
                    // Without a battery the clock begins at the same time at each boot.
                    (bootMs, offsetMs, boot) = (0, 0, boot + 1)
                }
                offsetMs += random.number(-50...50)
                var row = MachineStream.segment(number)
                row.bootId = "boot-\(boot)"
                row.startBootMs = bootMs + random.number(0...60_000)
                row.endBootMs = row.startBootMs + random.number(0...600_000)
                row.startWallMs = MachineStream.wallMs - 30 * 86_400_000 + row.startBootMs + offsetMs
                bootMs = row.endBootMs
                stream.rows.append(row)
            }
            _ = try home.push(0, stream.request(0..<1, isBegin: true))
            #expect(try push(home, stream.request(1..<200)).why == nil, "seed \(seed)")
        }
    }

    @Test(
        "Rows beyond the first upload and the hourly allowance are rejected",
        arguments: HouseholdGround.allCases
    )
    func rows(ground: HouseholdGround) throws {
        let home = try HouseholdBench(ground)
        var stream = MachineStream()
        stream.lives()
        _ = try home.push(0, stream.request(0..<1, isBegin: true))
        var known = 1
        func grow(_ count: Int) throws -> HouseholdPush.Reply? {
            var reply: HouseholdPush.Reply?
            for _ in 0..<count {
                for _ in 0..<HouseholdPush.rowsMax {
                    var row = stream.rows[0]
                    (row.segment, row.startBootMs) = ("agent/run/\(stream.rows.count)", row.endBootMs)
                    stream.rows.append(row)
                }
                reply = try push(home, stream.request(known..<stream.rows.count))
                known = stream.rows.count
            }
            return reply
        }
        let requests = 100_000 / HouseholdPush.rowsMax
        #expect(try grow(requests)?.why == nil)
        #expect(try grow(2)?.why?.code == "household.too_many_of_machine")
        #expect(try device(home).rows <= 100_002)
        home.bench.time.advance(byMs: 3_600_000)
        #expect(try grow(1)?.why == nil)
    }

    @Test(
        "A restart of the records without the earlier rows is reported",
        arguments: HouseholdGround.allCases
    )
    func restarts(ground: HouseholdGround) throws {
        let home = try HouseholdBench(ground)
        var stream = MachineStream()
        for _ in 0..<5 { stream.lives() }
        _ = try home.push(0, stream.request(0..<5, isBegin: true))
        // The same rows again, in a new stream.
        stream.epoch = "second"
        _ = try home.push(0, stream.request(0..<5, isBegin: true))
        #expect(try device(home).breaks == nil)
        let empty = MachineStream(epoch: "third")
        _ = try home.push(0, empty.request(0..<0, isBegin: true))
        #expect(try home.heard(1).isEmpty)
        #expect(try device(home).breaks?.map(\.missing) == [5])
        let reopened = try home.bench.reopened()
        let shown = try reopened.ask(HouseholdShow.self, Empty()).devices
        if ground == .file { #expect(shown.first { $0.name == "laptop" }?.breaks?.map(\.missing) == [5]) }
    }

    @Test(
        "The key of a machine gives access only to the usage of the people who were named when it joined",
        arguments: HouseholdGround.allCases
    )
    func reads(ground: HouseholdGround) throws {
        let home = try HouseholdBench(ground)
        let people = [["anna"], ["ben"], ["anna", "ben"], ["cleo"]]
        let machines = try people.map { names in
            let number = try home.knock(try home.invite(), name: "pc", accounts: names.map { ($0, $0) })
            return try home.bench.ask(HouseholdConfirm.self, .init(number: number)).device.device
        }
        defer { home.bench.remote = nil }
        for (machine, names) in zip(machines, people) {
            var stream = MachineStream()
            for name in names { stream.lives(member: name) }
            let open = names.map {
                OpenUsageInterval(segment: MachineStream.segment(9, member: $0), agoMs: 0)
            }
            home.bench.remote = .device(machine)
            _ = try home.bench.ask(
                HouseholdPush.self,
                stream.request(0..<names.count, isBegin: true, open: open)
            )
        }
        for (machine, names) in zip(machines, people) {
            home.bench.remote = .device(machine)
            // The request names all people.
            let after: [String: Int64] = ["anna": 0, "ben": 0, "cleo": 0]
            let places = home.bench.state.identity?.places
            let asked = HouseholdPull.Request(after: after, news: -1, waitMs: 0, places: places)
            let reply = try home.bench.ask(HouseholdPull.self, asked)
            let wanted = zip(machines, people).filter { $0.0 != machine }.flatMap { other, theirs in
                theirs.filter(names.contains).map { "\(other) \($0)" }
            }
            for rows in [reply.rows, reply.open.map(\.segment)] {
                #expect(rows.map { "\($0.device ?? "") \($0.member)" }.sorted() == wanted.sorted())
            }
            #expect(reply.through.keys.sorted() == names.sorted())
        }
    }
}
