import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

@Suite("Export and import", .serialized)
struct TransferTests {
    @Test("An exported ledger gives the same rows and reports in a fresh system, even if imported twice")
    func roundTrip() async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let path = scratch.file("export.jsonl")
        let lived = try await TransferDesk.run { desk in
            try await desk.live(seed: 7)
            let exported = try desk.command(["data", "export", path])
            // Three services do not run in this test, and the file contains that.
            #expect(exported.code == .exited(1), "\(exported.text)")
            // After an import into its source, everything is there.
            let again = try desk.command(["data", "import", path])
            #expect(again.code == .exited(0), "\(again.text)")
            #expect(try await desk.fault() == nil)
            return (try await desk.ledger(), try await desk.notifications(), try await desk.reports())
        }
        #expect(lived.0.count > 1_000 && lived.1.count > 100)
        #expect(lived.2.contains { !$0.rows.isEmpty })

        try await TransferDesk.run { desk in
            let dry = try desk.command(["data", "import", path, "--here", "--dry-run"])
            #expect(dry.code == .exited(0), "\(dry.text)")
            #expect(try await desk.ledger().isEmpty)
            for _ in 0..<2 {
                let brought = try desk.command(["data", "import", path, "--here"])
                #expect(brought.code == .exited(0), "\(brought.text)")
                let rows = try await desk.ledger()
                #expect(rows.map(\.segment) == lived.0.map(\.segment))
                #expect(TransferDesk.sums(rows) == TransferDesk.sums(lived.0))
                #expect(rows.allSatisfy { $0.knownBy == .imported && $0.device == nil })
                #expect(try await desk.notifications() == lived.1)
                #expect(try await desk.fault() == nil)
            }
            let told = try await desk.reports()
            #expect(told.map(\.rows) == lived.2.map(\.rows))
        }
    }

    @Test("The export of one person contains nothing of other members or of the household")
    func ofOne() async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        try await TransferDesk.run { desk in
            try await desk.live(seed: 9)
            let client = desk.system.client
            let owner = try #require(
                try await client.call(MemberList.self, Empty()).members.first { $0.role != .child }
            ).name
            _ = try await client.call(CategorySet.self, .init(subject: "app-1", category: "games"))
            for (device, member) in [("kid-phone", "noa"), ("own-phone", owner)] {
                var row = try #require(try await desk.ledger().first { $0.member == member })
                row.device = nil
                row.segment = device
                let known = ImportedDevice(
                    device: device,
                    name: "the \(device)",
                    model: .iPhone,
                    importedAt: ""
                )
                _ = try await client.call(
                    UsageImport.self,
                    .init(device: known, rows: [row], notifications: [])
                )
            }
            let path = scratch.file("noa.jsonl")
            let exported = try desk.command(["data", "export", path, "--member", "noa"])
            #expect(exported.code == .exited(1), "\(exported.text)")
            let text = ScratchDirectory.text(path)
            #expect(text.contains("the kid-phone") && !text.contains("own-phone"))
            #expect(!text.contains("{\"category\":{"))
            let all = scratch.file("all.jsonl")
            _ = try desk.command(["data", "export", all])
            let whole = ScratchDirectory.text(all)
            #expect(whole.contains("the own-phone") && whole.contains("{\"category\":{"))
        }
    }

    @Test("An export imported as another computer's belongs to one device, and is part of the next export")
    func otherDevice() async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let path = scratch.file("export.jsonl")
        let sums = try await TransferDesk.run { desk in
            try await desk.live(seed: 8)
            _ = try desk.command(["data", "export", path])
            return TransferDesk.sums(try await desk.ledger())
        }
        try await TransferDesk.run { desk in
            #expect(try desk.command(["data", "import", path]).code == .exited(0))
            let rows = try await desk.ledger()
            let devices = try await desk.system.client.call(UsageNow.self, Empty()).devices ?? []
            #expect(devices.count == 1)
            #expect(Set(rows.map(\.device)) == [devices.first?.device])
            #expect(TransferDesk.sums(rows) == sums)
            // Imported data is part of the next export.
            let second = scratch.file("second.jsonl")
            _ = try desk.command(["data", "export", second])
            #expect(ScratchDirectory.text(second).contains("{\"device\":{"))
            #expect(try desk.command(["data", "import", second]).code == .exited(0))
            #expect(try await desk.ledger().count == rows.count)
        }
    }
}
