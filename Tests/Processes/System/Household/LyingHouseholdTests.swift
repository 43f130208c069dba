import STContracts
import STCrypto
import STPlatform
import STStore
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension HouseholdSuite {
    @Suite("A household that sends its machines forged data")
    struct LyingHouseholdTests {
        /// Changes the household's records, as a person with write access to its files can.
        private static func forge(_ hub: TestSystem, _ change: (Database) throws -> Void) throws {
            _ = try hub.stop(.household)
            let options = DatabaseOptions(applicationID: 0x5354_5376)
            let database = try Database(path: hub.database(.household), options: options)
            try database.transaction { try change(database) }
            try database.close()
            try hub.start(.household)
            try hub.waitUntilReady()
        }

        /// Forged rows of another machine. Some have one extreme value, and others name another member.
        private static func forged(_ row: Segment, _ seed: UInt64) -> [Segment] {
            var random = SeededRandom(seed: seed)
            let edges: [Int64] = [.min, .min + 1, -1, 0, 1 << 52, 1 << 60, .max - 1, .max]
            return (0..<300).map { number in
                var lie = row
                lie.segment = "forged/\(number)"
                let edge = random.pick(edges) ?? 0
                switch random.number(0...8) {
                case 0: lie.startBootMs = edge
                case 1: lie.endBootMs = edge
                case 2: lie.startWallMs = edge
                case 3: lie.sequence = edge
                case 4: lie.stepMs = edge
                case 5: lie.zone = "Nowhere/\(edge)"
                case 6: lie.app = String(repeating: "\u{202E}x", count: 500)
                case 7: (lie.startBootMs, lie.endBootMs) = (edge, edge)
                default: lie.member = random.pick(["sister", "nobody", ""]) ?? ""
                }
                return lie
            }
        }

        @Test(
            "A household's forged data adds no usage to other people, stops no service and changes no own records"
        )
        func lies() async throws {
            try await HouseholdDesk.withTwo { hub, laptop, desktop in
                let owner = try await HouseholdDesk.owner(desktop)
                _ = try await desktop.client.call(MemberAdd.self, Member(name: "sister", role: .individual))
                try await HouseholdDesk.limit(desktop, ms: 3_600_000)
                let agents = try await [MachineAgent(laptop), MachineAgent(desktop)]
                func use() async throws {
                    for agent in agents { try await agent.look(at: HouseholdDesk.game) }
                    try await Task.sleep(for: .milliseconds(1_100))
                    for agent in agents { try await agent.look(at: nil) }
                    try await eventually(within: .seconds(40), "the desktop has all rows of the laptop") {
                        let brought = Set(try await HouseholdDesk.known(desktop).brought)
                        let missing = Set(try await HouseholdDesk.known(laptop).own).subtracting(brought)
                        guard missing.isEmpty else { throw NotYet("\(missing)") }
                    }
                }
                try await use()
                let own = try await desktop.ledger().filter { $0.device == nil }
                let pids = try [desktop.pid(.activity), desktop.pid(.link)]

                try Self.forge(hub) { database in
                    // Map the person of the laptop to another person of the desktop.
                    try database.run(
                        """
                        UPDATE devices SET accounts = CAST(replace(CAST(accounts AS TEXT), ?, ?) AS BLOB)
                        WHERE place = (SELECT max(place) FROM devices)
                        """,
                        [.text("\"here\":\"\(owner)\""), .text("\"here\":\"sister\"")]
                    )
                    let found = try database.first(
                        """
                        SELECT uses.device, uses.epoch, member, body FROM uses JOIN devices USING (device)
                        ORDER BY devices.place LIMIT 1
                        """
                    ) { (try $0.text(0), try $0.text(1), try $0.text(2), try $0.blob(3)) }
                    let (device, epoch, member, body) = try #require(found)
                    for lie in Self.forged(try Segment.decodedBody(body), Soak.seed) {
                        try database.run(
                            """
                            INSERT INTO uses (device, segment, epoch, member, start_wall_ms, local_ms, length_ms, body)
                            VALUES (?, ?, ?, ?, 0, 0, 0, ?)
                            """,
                            [
                                .text(device), .text(lie.segment), .text(epoch), .text(member),
                                .blob(try lie.encodedBody()),
                            ]
                        )
                    }
                    // Make all machines read all rows again.
                    try database.run("UPDATE own SET places = 'forged'")
                }
                try await use()
                // Delete all usage, and claim that the household's machines have deleted it.
                try Self.forge(hub) { database in
                    try database.run("DELETE FROM uses")
                    try database.run(
                        "UPDATE devices SET epoch = NULL, sequence = NULL, event = NULL, forgets = forgets + 1"
                    )
                }
                try await use()
                let rows = try await desktop.ledger()
                #expect(rows.filter { $0.member != owner } == [])
                #expect(Array(rows.filter { $0.device == nil }.prefix(own.count)) == own)
                #expect(try [desktop.pid(.activity), desktop.pid(.link)] == pids)
                #expect(try await desktop.client.call(UsageVerify.self, .init()).fault == nil)
            }
        }

        @Test("Before the approval of a machine, `household show` shows its claim to be a protected computer")
        func claims() async throws {
            try await TestSystem.run(services: HouseholdDesk.services + [.household]) { hub in
                let desk = try await HouseholdDesk.start(hub)
                for claim in [true, false] {
                    let code = try InvitationCode(try await desk.invitation())
                    let guest = try StrangerPort(
                        desk.address,
                        try KeyPair(secret: code.secret),
                        server: code.server
                    )
                    let request = HouseholdJoin.Request(
                        name: "fake \(claim)",
                        key: TextFormat.hex(try KeyPair.make().publicKey),
                        accounts: [HouseholdAccount(here: "kid", member: "kid")],
                        guardians: ["mum"],
                        isProtected: claim
                    )
                    #expect(try await guest.code(HouseholdJoin.self, request) == "ok")
                    await guest.end()
                }
                let shown = await hub.type(["household", "show"], "").text.split(separator: "\n").map(
                    String.init
                )
                for claim in [true, false] {
                    let place = try #require(shown.firstIndex { $0.contains("fake \(claim)") })
                    let next = shown[shown.index(after: place)...].prefix(1).joined()
                    #expect(next.contains("reports that it is a protected computer") == claim, "\(shown)")
                }
            }
        }
    }
}
