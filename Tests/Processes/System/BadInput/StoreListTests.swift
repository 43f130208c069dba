import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension SystemSuite {
    @Suite("A list of stores")
    struct StoreListTests {
        @Test("comes in pages that fit into a reply, however long the names in it are")
        func longNames() async throws {
            try await TestSystem.run(services: [.auth, .shield]) { system in
                let peer = try RawPeer(.dealer, try system.endpoint(.shield))
                defer { peer.close() }
                // As long as names may be, with a character that takes two bytes when it is written.
                let long = String(repeating: "\"", count: 120)
                let count = 399
                try await eventually("shield-service knows whose account this is") {
                    for number in 0..<count {
                        let request = SettingsSet.Request(
                            app: "screentime.rules",
                            store: "\(long)\(number)",
                            settings: ["siri.denySiri": true]
                        )
                        let reply = try peer.ask(
                            SettingsSet.name,
                            try request.encodedBody(),
                            key: "\(BuiltInRules.shieldKeyPrefix)list/\(number)"
                        )
                        if let problem = reply.problem { throw problem }
                    }
                }
                var stores: [String] = []
                var next: String?
                repeat {
                    let page = try await system.client.call(
                        SettingsList.self,
                        SettingsList.Request(next: next)
                    )
                    stores += page.stores.map(\.store)
                    next = page.next
                } while next != nil
                #expect(Set(stores).count == count)
                #expect(stores.count == count)
            }
        }
    }
}
