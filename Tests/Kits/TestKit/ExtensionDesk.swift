package import STExtensions
import STPlatform
package import STTestSupport
import STZeroMQ
import Synchronization

/// A host of extensions, and a record of their output. A target's own tests choose the programs.
package final class ExtensionDesk: Sendable {
    package typealias Answer = @Sendable (ForwardedRequest) async throws -> [UInt8]

    package let scratch: ScratchDirectory
    package let host: ExtensionHost
    private let loop: BusLoop
    private let record: Record

    private final class Record: Sendable {
        let lines = Mutex<[ExtensionLine]>([])
        let requests = Mutex<[ForwardedRequest]>([])
    }

    package init(
        environment: [String: String],
        _ change: (inout ExtensionLimits) -> Void = { _ in },
        answer: @escaping Answer = { _ in Array("{}".utf8) }
    ) throws {
        scratch = try ScratchDirectory()
        loop = try BusLoop()
        let record = Record()
        self.record = record
        var settings = ExtensionSettings(directories: scratch.directories, environment: environment)
        change(&settings.limits)
        host = try ExtensionHost(
            loop,
            settings: settings,
            services: ExtensionServices(
                forward: { request in
                    record.requests.withLock { $0.append(request) }
                    return try await answer(request)
                },
                heard: { line in record.lines.withLock { $0.append(line) } },
                now: { TimeReading(wallMs: 1_000, bootMs: 0, monotonicMs: 0) }
            )
        )
    }

    /// Stops the host. Every test ends with it, so that no process remains.
    package func stop() async {
        await host.stop()
        loop.stop()
    }

    package var lines: [ExtensionLine] { record.lines.withLock { $0 } }
    package var texts: [String] { lines.map(\.text) }
    /// The requests to services.
    package var requests: [ForwardedRequest] { record.requests.withLock { $0 } }
}
