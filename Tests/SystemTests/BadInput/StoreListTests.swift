import STContracts
import STPlatform
import STTestKit
import STZeroMQ
import Testing

extension SystemSuite {
    @Suite("A list of stores")
    struct StoreListTests {
        @Test("comes in pages that fit into a reply, however long the names in it are")
        func longNames() async throws {
            try await TestSystem.run(services: [.shield]) { system in
                let peer = try RawPeer(.dealer, try system.endpoint(.shield))
                defer { peer.close() }
                // As long as names may be, with a character that takes six bytes when it is written.
                let long = String(repeating: "\u{1}", count: 120)
                let count = 200
                for number in 0..<count {
                    let request = SettingsSet.Request(
                        app: "\(long)\(number / 50)",
                        store: "\(long)\(number)",
                        settings: ["a": .bool(true)]
                    )
                    #expect(try peer.ask(SettingsSet.name, try request.encodedBody()).header.ok)
                }
                var stores: [StoreAddress] = []
                var next: String?
                repeat {
                    let page = try await system.client.call(
                        SettingsList.self,
                        SettingsList.Request(next: next)
                    )
                    stores += page.stores
                    next = page.next
                } while next != nil
                #expect(Set(stores).count == count)
                #expect(stores.count == count)
            }
        }
    }
}
