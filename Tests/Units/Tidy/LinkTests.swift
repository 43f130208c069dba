import Foundation
import Testing

@Suite("Linking")
struct LinkTests {
    @Test("no service is linked with the whole of Foundation, which doubles its memory")
    func foundation() throws {
        let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        for service in [
            "auth-service", "activity-center", "shield-service", "report-service", "notifier",
            "desktop-agent",
        ] {
            let program = try Data(contentsOf: folder.appending(path: service))
            #expect(program.range(of: Data("libFoundation.so".utf8)) == nil, "\(service)")
            // The search itself finds what is there.
            #expect(program.range(of: Data("libzmq.so".utf8)) != nil, "\(service)")
        }
    }
}
