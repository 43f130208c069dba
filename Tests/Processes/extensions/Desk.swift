import Glibc
import STContracts
import STExtensions
import STPlatform
import STTestSupport
import STZeroMQ
import Synchronization

/// A host with the test extension, and everything that is heard of it.
final class Desk: Sendable {
    let scratch: ScratchDirectory
    let host: ExtensionHost
    private let loop: BusLoop
    private let record: Record

    private final class Record: Sendable {
        let lines = Mutex<[ExtensionLine]>([])
        let requests = Mutex<[ForwardedRequest]>([])
    }

    init(
        _ change: (inout ExtensionLimits) -> Void = { _ in },
        answer: @escaping @Sendable (ForwardedRequest) async throws -> [UInt8] = { _ in Array("{}".utf8) }
    ) throws {
        scratch = try ScratchDirectory()
        loop = try BusLoop()
        let record = Record()
        self.record = record
        var settings = ExtensionSettings(
            directories: scratch.directories,
            environment: ["PATH": "/usr/bin:/bin", "SCREENTIME_SECRET": "is not passed on"]
        )
        change(&settings.limits)
        host = try ExtensionHost(
            loop,
            settings,
            ExtensionServices(
                forward: { request in
                    record.requests.withLock { $0.append(request) }
                    return try await answer(request)
                },
                heard: { line in record.lines.withLock { $0.append(line) } },
                now: { TimeReading(wallMs: 1_000, bootMs: 0, monotonicMs: 0) }
            )
        )
    }

    /// Every test ends with it, so that no process stays behind.
    func stop() async {
        await host.stop()
        loop.stop()
    }

    var lines: [ExtensionLine] { record.lines.withLock { $0 } }
    var texts: [String] { lines.map(\.text) }
    var forwarded: [ForwardedRequest] { record.requests.withLock { $0 } }

    func spec(start: String = "", executable: String? = nil) throws -> ExtensionSpec {
        ExtensionSpec(
            app: "org.example.app",
            member: "owner",
            point: .monitor,
            executable: try executable ?? Self.program(),
            environment: ["ST_TEST_START": start, "ST_TEST_FILE": scratch.file("notes")]
        )
    }

    func call(
        _ activity: String,
        id: String = "D",
        attempt: Int64 = 1,
        startByBootMs: Int64? = nil,
        _ spec: ExtensionSpec? = nil
    ) async throws -> ExtensionOutcome {
        let body = JSONValue.object(["activity": .string(activity)])
        let call = ExtensionCall(
            id: id,
            attempt: attempt,
            method: MonitorMethod.intervalDidStart.rawValue,
            body: body,
            wallMs: 5,
            deadlineMs: 0
        )
        return await host.call(
            try spec ?? self.spec(),
            ExtensionJob(call: call, cause: "the-event", trace: .fresh(), startByBootMs: startByBootMs)
        )
    }

    static func program() throws -> String {
        try BuiltTree.program("screentime-test-extension")
    }

    /// The pids that the extension printed, of what it left behind.
    var leftBehind: [Int32] {
        texts.compactMap { text in
            text.hasPrefix("left behind ") ? Int32(text.dropFirst("left behind ".count)) : nil
        }
    }

    static func exists(_ pid: Int32) -> Bool { kill(pid, 0) == 0 }
}
