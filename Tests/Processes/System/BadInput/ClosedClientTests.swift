import STContracts
import STTestSupport
import STZeroMQ
import Testing

@Suite("A client that was closed")
struct ClosedClientTests {
    @Test("refuses later requests, so that its loop can end", .timeLimit(.minutes(1)))
    func closed() async throws {
        let loop = try BusLoop(name: "test")
        let client = BusClient(loop: loop) { _ in "ipc:///tmp/screentime-nobody" }
        await client.close()

        let code = await refusal { _ = try await client.call(HealthPing.self, to: .auth, Empty()) }

        #expect(code == "request.cancelled")
        // Waits for every socket.
        loop.stop()
    }
}
