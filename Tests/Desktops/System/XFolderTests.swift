import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

@Suite("Folders of the services")
struct XFolderTests {
    @Test(
        "The agent keeps its pictures in its own folder and does not touch the folder of shield extensions"
    )
    func pictures() async throws {
        try await XHouse.run { house in
            let directories = house.system.directories
            // The folder of shield extensions, once shield-service has cleaned it up after its start.
            let other = directories.run + "/shields/other"
            try await eventually("shield-service no longer cleans the folder") {
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
