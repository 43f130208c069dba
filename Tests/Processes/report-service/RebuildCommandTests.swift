import STContracts
import STPlatform
import STStore
import STTestKit
import STTestSupport
import Testing

extension ReportSuite {
    @Suite("The command `data rebuild`")
    struct RebuildCommandTests {
        @Test("A rebuild recalculates wrong report figures and shows the number of rows")
        func rebuilt() async throws {
            try await TransferDesk.run { desk in
                try await desk.live(seed: 11)
                let expected = try await desk.reports()
                #expect(expected.contains { !$0.rows.isEmpty })
                // A change that no stream contains.
                _ = try desk.system.stop(.report)
                let database = try Database(
                    path: desk.system.database(.report),
                    options: DatabaseOptions(applicationID: 0x5354_5376)
                )
                try database.run("UPDATE hours SET used = used + 60000")
                try database.run("UPDATE days SET used = used + 60000")
                try database.run("DELETE FROM hour_use")
                try database.run("DELETE FROM day_use")
                try database.close()
                try desk.system.start(.report)
                #expect(try await desk.reports() != expected)

                let done = try desk.command(["data", "rebuild"])
                #expect(done.code == .exited(0), "\(done.text)")
                let rows = try await desk.ledger().count
                #expect(
                    done.text.hasPrefix("Report figures were recalculated from \(rows) rows in "),
                    "\(done.text)"
                )
                #expect(try await desk.reports() == expected)
                let json = try desk.command(["data", "rebuild", "--json"])
                #expect(json.code == .exited(0) && json.text.contains(#""state": "done""#), "\(json.text)")
                #expect(try await desk.reports() == expected)
            }
        }

        @Test("A rebuild without report-service exits with code 3 and names the service")
        func stopped() async throws {
            try await TransferDesk.run { desk in
                _ = try desk.system.stop(.report)
                let done = try desk.command(["data", "rebuild"])
                #expect(done.code == .exited(3), "\(done.text)")
                #expect(done.text.contains("report-service"), "\(done.text)")
                try desk.system.start(.report)
            }
        }
    }
}
