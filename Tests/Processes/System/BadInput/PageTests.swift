import STContracts
import STPlatform
import STTestKit
import Testing

extension SystemSuite {
    @Suite("Paged lists")
    struct PageTests {
        @Test("Lists are split into pages that fit in a reply, whatever the length of their names")
        func longNames() async throws {
            try await TestSystem.run(services: [.auth, .activity]) { system in
                let members = try await system.makeMembers()
                let peer = try RawPeer(.dealer, try system.endpoint(.activity))
                defer { peer.close() }
                let count = 600
                for batch in stride(from: 1, to: count, by: 25) {
                    let seen = (batch..<(batch + 25)).map { observation($0, members[0]) }
                    let request = UsageObserve.Request(agent: long("a"), run: long("r"), observations: seen)
                    #expect(try peer.ask(UsageObserve.name, try request.encodedBody()).header.ok)
                }
                let rows = try await system.ledger()
                #expect(rows.map(\.sequence) == Array(1...Int64(count - 1)))
                let events = try await system.events(.usage, of: .activity)
                // A request that began and ended between two pages appears only as ended.
                let opened = count / 25
                #expect(events.map(\.header.sequence) == Array(1...Int64(count - 1 + opened)))
            }
        }

        /// Returns a name of the maximum length, with a character that takes six bytes when encoded.
        private func long(_ text: String) -> String { String(repeating: "\u{1}", count: 120) + text }

        private func observation(_ number: Int, _ member: String) -> Observation {
            let ms = Int64(number) * 10
            return Observation(
                sequence: Int64(number),
                bootId: long("b"),
                at: TimeReading(wallMs: 1_773_187_190_000 + ms, bootMs: ms, monotonicMs: ms),
                zone: "UTC",
                member: member,
                presence: .active,
                app: long("app-\(number)"),
                domain: long("site-\(number)")
            )
        }
    }
}
