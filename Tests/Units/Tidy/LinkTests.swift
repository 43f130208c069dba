import Foundation
import Testing

@Suite("Linking")
struct LinkTests {
    private let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

    @Test("no service is linked with the whole of Foundation, which doubles its memory")
    func foundation() throws {
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

    @Test("no service is linked with pango, which screentime-draw alone is to load")
    func pango() throws {
        for service in [
            "auth-service", "activity-center", "monitor-runner", "shield-service", "report-service",
            "notifier", "desktop-agent",
        ] {
            let program = try Data(contentsOf: folder.appending(path: service))
            #expect(program.range(of: Data("libpango-1.0.so".utf8)) == nil, "\(service)")
        }
    }
}
