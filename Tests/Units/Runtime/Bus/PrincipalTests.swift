import STBus
import STContracts
import Testing

@Suite("Who sent a request")
struct PrincipalTests {
    @Test("is read off what the kernel says")
    func reads() {
        #expect(Principal(peerAddress: "localhost:1000:100:4242") == Principal(uid: 1000, pid: 4242))
        #expect(Principal(peerAddress: "localhost:0:0:1")?.roles(owner: 1000) == .root)
        #expect(Principal(peerAddress: "localhost:0:0:1")?.roles(owner: 0) == .owner)
    }

    @Test(
        "is nobody when it cannot be read",
        arguments: [
            "", "localhost", "localhost:", "localhost:1:2", "localhost:1:2:", "localhost:1:2:3:4",
            "localhost:a:2:3",
            "localhost:-1:2:3", "localhost::2:3", "localhost:4294967296:0:1", "localhost:99999999999:0:1",
        ]
    )
    func refuses(address: String) {
        #expect(Principal(peerAddress: address) == nil)
    }
}
