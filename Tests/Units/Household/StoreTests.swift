import STBus
import STContracts
import STEngine
import STHouseholdCore
import STPlatform
import STPostgres
import STStore
import STTestKit
import STTestSupport
import Testing

@Suite("Storage of a household", .postgres)
struct HouseholdStoreTests {
    @Test(
        "Sums equal those of the rows by any keys, also after a machine started a new ledger",
        arguments: HouseholdGround.allCases
    )
    func sums(ground: HouseholdGround) throws {
        for seed in UInt64(1)...4 {
            var random = SeededRandom(seed: seed)
            let home = try HouseholdBench(ground)
            var streams = [MachineStream(), MachineStream()]
            for machine in 0...1 {
                for _ in 0..<60 {
                    streams[machine].lives(random: &random, member: machine == 0 ? "kid" : "kim")
                }
                try home.tellAll(machine, streams[machine])
            }
            try check(home, streams: streams, seed: seed)
            // A person has deleted a part of one ledger.
            streams[0].epoch = "second"
            for _ in 0..<20 { streams[0].rows.remove(at: random.number(0...(streams[0].rows.count - 1))) }
            for _ in 0..<5 { streams[0].lives(random: &random, member: "kid") }
            try home.tellAll(0, streams[0])
            try check(home, streams: streams, seed: seed)
        }
    }

    private func check(_ home: HouseholdBench, streams: [MachineStream], seed: UInt64) throws {
        let keys: [[HouseholdSumKey]] = [
            [.app], [.day], [.day, .hour], [.device, .app], [.member], [.category, .site],
            [.member, .device, .day, .app],
        ]
        for by in keys {
            let reply = try home.bench.ask(
                HouseholdSums.self,
                .init(from: "2026-01-01", through: "2026-12-31", by: by)
            )
            var wanted: [[String]: Int64] = [:]
            for (machine, stream) in streams.enumerated() {
                for row in stream.rows where row.presence == .active && row.shielded != true {
                    var startMs = row.startWallMs
                    let endMs = startMs + row.durationMs
                    while startMs < endMs {
                        let hour = startMs / 3_600_000
                        let nextMs = min(endMs, (hour + 1) * 3_600_000)
                        let words = by.map { key in
                            switch key {
                            case .app: row.app ?? ""
                            case .site: row.domain ?? ""
                            case .category: row.category ?? ""
                            case .day: CivilDate(daysSinceEpoch: Int(hour / 24)).text
                            case .hour: "\(hour % 24)"
                            case .device: machine == 0 ? "laptop" : "desktop"
                            default: "anna"
                            }
                        }
                        wanted[words, default: 0] += nextMs - startMs
                        startMs = nextMs
                    }
                }
            }
            var found: [[String]: Int64] = [:]
            for sum in reply.sums {
                found[by.map { sum.word($0) }] = sum.ms
            }
            #expect(found == wanted.filter { $0.value > 0 }, "seed \(seed), by \(by)")
            #expect(!reply.isCut && reply.sums.map(\.ms) == reply.sums.map(\.ms).sorted(by: >))
        }
    }

    @Test(
        "An invalid request for sums is rejected, and a person counts once in each class",
        arguments: HouseholdGround.allCases
    )
    func badSums(ground: HouseholdGround) throws {
        let home = try HouseholdBench(ground)
        func code(_ request: HouseholdSums.Request) throws -> String? {
            try home.bench.refusal(HouseholdSums.self, request)?.code
        }
        let day = "2026-09-01"
        #expect(try code(.init(from: "yesterday", through: day, by: [.app])) == "household.bad_days")
        #expect(try code(.init(from: "2026-09-02", through: day, by: [.app])) == "household.bad_days")
        #expect(try code(.init(from: "1990-01-01", through: day, by: [.app])) == "household.bad_days")
        #expect(try code(.init(from: day, through: day, by: [])) == "household.bad_sum")
        #expect(try code(.init(from: day, through: day, by: [.app, .app])) == "household.bad_sum")
        #expect(try code(.init(from: day, through: day, by: [.unknown])) == "household.bad_sum")
        #expect(try code(.init(from: day, through: day, by: [.group])) == "household.bad_groups")
        #expect(
            try code(.init(from: day, through: day, by: [.app], groups: [.init(name: "a", members: [])]))
                == "household.bad_groups"
        )
        let many = Array(repeating: "anna", count: 25_001)
        #expect(
            try code(.init(from: day, through: day, by: [.app], members: many)) == "household.too_many_names"
        )
        // A person who is listed twice in a class counts once.
        var stream = MachineStream()
        stream.lives(minutes: 10)
        _ = try home.push(0, stream.request(0..<1, isBegin: true))
        let classes = [
            HouseholdSums.Group(name: "7a", members: ["anna", "anna"]), .init(name: "7a", members: ["anna"]),
            .init(name: "7b", members: ["ben"]),
        ]
        let asked = HouseholdSums.Request(from: day, through: "2026-12-31", by: [.group], groups: classes)
        let sums = try home.bench.ask(HouseholdSums.self, asked).sums
        #expect(sums.map(\.group) == ["7a"] && sums.map(\.ms) == [600_000])
    }

    @Test("A household moves from its file to PostgreSQL with all its data, also after an interruption")
    func move() throws {
        var home = try HouseholdBench(.file)
        var random = SeededRandom(seed: 3)
        var streams = [MachineStream(), MachineStream()]
        for machine in 0...1 {
            for _ in 0..<1_500 {
                streams[machine].lives(random: &random, member: machine == 0 ? "kid" : "kim")
            }
            try home.tellAll(machine, streams[machine])
        }
        let ask = HouseholdSums.Request(from: "2026-01-01", through: "2026-12-31", by: [.device, .app, .day])
        let before = try home.bench.ask(HouseholdSums.self, ask)
        let address = try HouseholdGround.shared.address()
        // Moves the first page and then ends before the file records the move.
        let stores = HouseholdStores(address)
        try home.bench.database.transaction {
            let progress = try stores.move(home.bench.database)
            #expect(progress != nil)
        }
        home.bench = try home.bench.reopened(as: HouseholdService.definition(HouseholdStores(address)))
        #expect(try home.bench.ask(HouseholdSums.self, ask) == before)
        #expect(home.bench.state.devices.map(\.rows) == [1_500, 1_500])
        #expect(try home.heard(1).map(\.segment).sorted() == streams[0].rows.map(\.segment).sorted())
        // Both machines continue at their positions.
        streams[0].lives(random: &random, member: "kid")
        #expect(try home.push(0, streams[0].request(1_500..<1_501)) == streams[0].cursor(1_501))
        let left = try home.bench.database.first(
            "SELECT (SELECT count(*) FROM uses) + (SELECT count(*) FROM devices)"
        ) {
            try $0.int(0)
        }
        #expect(left == 0)
        // A second household cannot move into the same database.
        let other = try HouseholdBench(.file)
        #expect(throws: Problem.self) {
            try other.bench.reopened(as: HouseholdService.definition(HouseholdStores(address)))
        }
    }

    @Test(
        "Services with a shared database neither lose nor duplicate rows, even with outdated memories"
    )
    func sideBySide() throws {
        for seed in UInt64(1)...6 {
            var random = SeededRandom(seed: seed)
            let address = try HouseholdGround.shared.address()
            var homes = [try HouseholdBench(address: address)]
            homes.append(try HouseholdBench(beside: homes[0], address: address))
            var stream = MachineStream()
            var known = HouseholdCursor()
            for _ in 0..<80 {
                let place = random.number(0...1)
                switch random.number(0...9) {
                case 0...3: stream.lives(minutes: random.number(0...5))
                case 4: try homes[place].refresh()
                case 5: homes[place].bench = try homes[place].bench.reopened()
                default:
                    let from = known.epoch == nil ? 0 : Int(known.sequence ?? 0)
                    let end = random.number(from...stream.rows.count)
                    // A service with an outdated memory replies with its position or with a conflict.
                    let request = stream.request(from..<end, isBegin: known.epoch == nil)
                    do {
                        known = try homes[place].push(0, request)
                    } catch let problem as Problem where problem.code == "store.busy" {}
                }
            }
            for _ in 0..<50 where known != stream.cursor(stream.rows.count) {
                try homes[0].refresh()
                let from = known.epoch == nil ? 0 : Int(known.sequence ?? 0)
                known = try homes[0].push(
                    0,
                    stream.request(from..<stream.rows.count, isBegin: known.epoch == nil)
                )
            }
            #expect(known == stream.cursor(stream.rows.count), "seed \(seed)")
            for home in homes {
                try home.refresh()
                let heard = try home.heard(1).map(\.segment)
                #expect(heard.sorted() == stream.rows.map(\.segment).sorted(), "seed \(seed)")
                #expect(
                    home.bench.state.devices.map(\.rows) == [Int64(stream.rows.count), 0],
                    "seed \(seed)"
                )
            }
        }
    }

    @Test(
        "Text that PostgreSQL cannot store is rejected, and rows of many days are stored",
        arguments: HouseholdGround.allCases
    )
    func limits(ground: HouseholdGround) throws {
        let home = try HouseholdBench(ground)
        var stream = MachineStream()
        stream.lives(minutes: 30 * 24 * 60)
        stream.rows[0].startWallMs -= 40 * 86_400_000
        let request = stream.request(0..<1, isBegin: true)
        home.bench.remote = .device(home.devices[0])
        for (field, value) in [(\HouseholdCursor.epoch, "a\u{0}b"), (\HouseholdCursor.id, "\u{0}")] {
            var bad = request
            bad.through[keyPath: field] = value
            #expect(try home.bench.refusal(HouseholdPush.self, bad)?.code == "household.bad_cursor")
        }
        home.bench.remote = nil
        _ = try home.push(0, request)
        #expect(try home.heard(1).map(\.durationMs) == [30 * 86_400_000])
        let asked = HouseholdSums.Request(from: "2026-01-01", through: "2026-12-31", by: [.app])
        #expect(try home.bench.ask(HouseholdSums.self, asked).sums.map(\.ms) == [30 * 86_400_000])
    }

    @Test(
        "Rows older than the retention are deleted with their sums and not accepted again",
        arguments: HouseholdGround.allCases
    )
    func keeps(ground: HouseholdGround) throws {
        let home = try HouseholdBench(ground, keepDays: 30)
        let dayMs: Int64 = 86_400_000
        var stream = MachineStream()
        for _ in 0..<6 { stream.lives(minutes: 5) }
        for index in stream.rows.indices { stream.rows[index].startWallMs -= (index < 3 ? 29 : 1) * dayMs }
        _ = try home.push(0, stream.request(0..<6, isBegin: true))
        func kept() throws -> [Int64] {
            let sums = try home.bench.ask(
                HouseholdSums.self,
                .init(from: "2026-01-01", through: "2027-12-31", by: [.member])
            )
            let rows = try home.bench.ask(HouseholdShow.self, Empty()).devices[0].rows
            return [rows, Int64(try home.heard(1).count), sums.sums.reduce(0) { $0 + $1.ms } / 60_000]
        }
        try home.forgetOld()
        #expect(try kept() == [6, 6, 30])
        #expect(try home.bench.ask(HouseholdShow.self, Empty()).keepDays == 30)
        home.bench.time.advance(byMs: 3 * dayMs)
        try home.forgetOld()
        if ground == .shared { try home.refresh() }
        #expect(try kept() == [3, 3, 15])
        let lines = try home.bench.history
        #expect(lines.last?.what == .forgotten)
        try home.forgetOld()
        #expect(try home.bench.history.count == lines.count, "nothing was left to delete")
        // The machine still has the rows and sends all of them again.
        stream.epoch += "'"
        _ = try home.push(
            0,
            stream.request(0..<6, isBegin: true, wallMs: MachineStream.wallMs + 3 * dayMs)
        )
        #expect(try kept() == [3, 3, 15])
    }

    @Test("A PostgreSQL database of an earlier version is migrated, and one of a newer version is rejected")
    func migrates() throws {
        let address = try HouseholdGround.shared.address()
        let home = try HouseholdBench(address: address)
        var stream = MachineStream()
        for _ in 0..<5 { stream.lives() }
        _ = try home.push(0, stream.request(0..<5, isBegin: true))
        let connection = PostgresConnection(address)
        try connection.execute(
            "ALTER TABLE household DROP COLUMN next; DELETE FROM household_steps WHERE step > 1"
        )
        for _ in 0..<2 {
            let now = try HouseholdBench(beside: home, address: address)
            #expect(try now.heard(1) == home.heard(1) && now.heard(1).count == 5)
            #expect(try now.bench.ask(HouseholdRekey.self, .init()).machines == 2)
        }
        try connection.execute("INSERT INTO household_steps (step) VALUES (99)")
        connection.close()
        // The version is checked with the first request. An older program does not read the data of a newer one.
        let old = #expect(throws: Problem.self) { try HouseholdBench(beside: home, address: address) }
        #expect(old?.code == "store.newer_version")
    }

    @Test("After an older copy of the database is restored, machines receive all later rows")
    func olderCopy() throws {
        let address = try HouseholdGround.shared.address()
        let home = try HouseholdBench(address: address)
        var stream = MachineStream()
        for _ in 0..<20 { stream.lives() }
        _ = try home.push(0, stream.request(0..<20, isBegin: true))
        let heard = try home.pull(1)
        #expect(heard.rows.count == 20)
        // Restores the state after ten rows.
        try PostgresConnection(address).execute(
            """
            DELETE FROM uses WHERE place > 10; DELETE FROM hour_sums; DELETE FROM day_sums; UPDATE members SET last = 10;
            UPDATE devices SET version = 1, sequence = 10, event = 'first-10', rows = 10 WHERE name = 'laptop'
            """
        )
        // The next request does not continue the restored rows, so the machine continues from there.
        stream.lives()
        #expect(refusal { _ = try home.push(0, stream.request(20..<21)) } == "store.busy")
        #expect(try home.push(0, stream.request(20..<21)) == stream.cursor(10))
        #expect(try home.push(0, stream.request(10..<15)) == stream.cursor(15))
        // Row numbers are reused, so the other machine reads from the beginning.
        #expect(
            try home.pull(1, after: heard.through).rows.map(\.segment) == stream.rows[..<15].map(\.segment)
        )
    }

    @Test("A request with an outdated version of a machine is retried within its batch")
    func overtaken() throws {
        let address = try HouseholdGround.shared.address()
        let home = try HouseholdBench(address: address)
        try PostgresConnection(address).execute(
            "UPDATE devices SET version = version + 1 WHERE name = 'laptop'"
        )
        let jobs = try home.devices.enumerated().map { machine, device in
            var stream = MachineStream()
            stream.lives(member: machine == 0 ? "kid" : "kim")
            return StoreJob.request(
                AdmittedRequest(
                    header: RequestHeader(id: "request-\(machine)", route: HouseholdPush.name),
                    body: try stream.request(0..<1, isBegin: true).encodedBody(),
                    principal: Principal(.device(device)),
                    envelope: [],
                    deadlineBootMs: .max,
                    receivedNs: 0,
                    trace: .fresh()
                ),
                peer: []
            )
        }
        let results = home.bench.store.run(jobs).results
        let codes = results.map { result in
            if case .refused(_, _, let problem) = result { problem.code } else { "ok" }
        }
        // Each request runs separately, and the first one after reading the current state.
        #expect(codes == ["ok", "ok"])
        try home.refresh()
        #expect(home.bench.state.devices.map(\.rows) == [1, 1])
    }

    @Test("A number approves a machine once, at any of two services")
    func confirmTwice() throws {
        let address = try HouseholdGround.shared.address()
        let first = try HouseholdBench(address: address)
        let number = try first.knock(try first.invite(), name: "tablet", here: "kid")
        let second = try HouseholdBench(beside: first, address: address)
        let device = try second.bench.ask(HouseholdConfirm.self, .init(number: number)).device
        // The first service has not received the change yet.
        #expect(try first.bench.refusal(HouseholdConfirm.self, .init(number: number))?.code == "store.busy")
        #expect(
            try first.bench.refusal(HouseholdConfirm.self, .init(number: number))?.code
                == "household.unknown_number"
        )
        try first.refresh()
        #expect(first.bench.state.devices.count == 3 && first.bench.state.devices[2].id == device.device)
        _ = try first.bench.ask(HouseholdRemove.self, .init(device: "tablet"))
        try second.refresh()
        #expect(second.bench.state.admittedKeys(at: .distantFuture).count == 2)
    }
}

extension MachineStream {
    fileprivate mutating func lives(random: inout SeededRandom, member: String) {
        lives(
            random.pick(["game", "film", "work"]) ?? "game",
            minutes: random.number(0...20),
            member: member
        )
        guard var row = rows.popLast() else { return }
        let lengthMs = row.durationMs
        row.startBootMs = (rows.last?.endBootMs ?? 0) + random.number(0...60_000)
        row.endBootMs = row.startBootMs + lengthMs
        // In the past, because rows in the future are left out.
        row.startWallMs = Self.wallMs - 200 * 86_400_000 + row.startBootMs
        row.domain = random.chance(percent: 30) ? "example.org" : nil
        row.category = random.chance(percent: 50) ? "category:games" : nil
        if random.chance(percent: 10) { row.presence = .idle }
        if random.chance(percent: 10) { row.shielded = true }
        rows.append(row)
    }
}

extension HouseholdSums.Sum {
    fileprivate func word(_ key: HouseholdSumKey) -> String {
        switch key {
        case .member: member ?? "nil"
        case .device: device ?? "nil"
        case .day: day ?? "nil"
        case .hour: hour.map { "\($0)" } ?? "nil"
        case .app: app ?? "nil"
        case .site: site ?? "nil"
        case .category: category ?? "nil"
        case .group: group ?? "nil"
        case .unknown: "?"
        }
    }
}
