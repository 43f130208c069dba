import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

@Suite("The folders of services beside each other")
struct XFolderTests {
    @Test(
        "the agent has its pictures in a folder of its own, and leaves the one of the shields' extensions alone"
    )
    func pictures() async throws {
        try await XHouse.run { house in
            let directories = house.system.directories
            // Where extensions of shields listen, once shield-service has tidied up there after its start.
            let other = directories.run + "/shields/other"
            try await eventually("shield-service has tidied up") {
                try Directories.prepare(directories.run + "/shields")
                try AtomicFile.write([1], to: other, durable: false)
                try await Task.sleep(for: .milliseconds(500))
                guard access(other, F_OK) == 0 else { throw NotYet("it does") }
            }
            #expect(access("\(directories.run)/\(ServiceName.desktop)/shields", F_OK) == 0)

            _ = try house.system.stop(.desktop)
            #expect(access(other, F_OK) == 0)
            try house.system.start(.desktop)
            try house.system.waitUntilReady()
            #expect(access(other, F_OK) == 0)
        }
    }
}
