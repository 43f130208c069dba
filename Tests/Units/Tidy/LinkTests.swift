import Foundation
import Testing

@Suite("Linking")
struct LinkTests {
    private let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

    @Test("No service is linked with the whole of Foundation")
    func foundation() throws {
        for service in [
            "auth-service", "activity-center", "shield-service", "report-service", "notifier",
            "desktop-agent",
        ] {
            let program = try Data(contentsOf: folder.appending(path: service))
            #expect(program.range(of: Data("libFoundation.so".utf8)) == nil, "\(service)")
            // The search finds a library that is linked.
            #expect(program.range(of: Data("libzmq.so".utf8)) != nil, "\(service)")
        }
    }

    @Test("No service is linked with pango")
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
