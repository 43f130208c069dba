import Foundation
import Glibc
import STBus
import STContracts
import STExtensions
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ

typealias MonitorDesk = ExtensionDesk

/// A desk with the sample monitor.
extension ExtensionDesk {
    convenience init(
        _ change: (inout ExtensionLimits) -> Void = { _ in },
        answer: @escaping Answer = { _ in Array("{}".utf8) }
    ) throws {
        try self.init(
            environment: Program.environment,
            {
                // Parallel tests can delay the next call by several seconds.
                $0.keepWarm = .seconds(120)
                change(&$0)
            },
            answer: answer
        )
    }

    func call(
        _ activity: String,
        method: String = MonitorMethod.intervalDidStart.rawValue,
        event: String? = nil,
        id: String = "D",
        attempt: Int64 = 1
    ) async -> ExtensionOutcome {
        var body: [String: JSONValue] = ["activity": .string(activity)]
        if let event { body["event"] = .string(event) }
        let call = ExtensionCall(
            id: id,
            attempt: attempt,
            method: method,
            body: .object(body),
            wallMs: 5,
            deadlineMs: 0
        )
        let spec = ExtensionSpec(
            app: "org.example.sample",
            member: "owner",
            point: .monitor,
            executable: Program.monitor
        )
        return await host.call(spec, ExtensionJob(call: call, cause: "the-event", trace: .fresh()))
    }

    /// Calls the sample of one of the two shield extensions.
    func ask(
        _ point: ExtensionPoint,
        method: ShieldMethod,
        body: some WireBody,
        bundle: String? = nil
    ) async throws -> ExtensionOutcome {
        let call = ExtensionCall(
            id: "S",
            attempt: 1,
            method: method.rawValue,
            body: try JSONValue(text: body.encodedBody()),
            wallMs: 5,
            deadlineMs: 0
        )
        let spec = ExtensionSpec(
            app: "org.example.sample",
            member: "owner",
            point: point,
            executable: Program.shield,
            environment: bundle.map { [ExtensionEnvironment.bundle: $0] } ?? [:]
        )
        return await host.call(spec, ExtensionJob(call: call, cause: "the-event", trace: .fresh()))
    }
}

/// A host that only receives.
actor LoneHost {
    private let loop: BusLoop
    private var endpoint: PrivateEndpoint?
    private(set) var messages: [[[UInt8]]] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    init(_ loop: BusLoop) { self.loop = loop }

    func open(_ path: String) throws {
        let made = try PrivateEndpoint(loop, path: path, frameLimit: ExtensionProtocol.frames)
        made.onMessage = { _, frames, _ in self.messages.append(frames) }
        endpoint = made
    }

    func close() {
        endpoint?.close()
        endpoint = nil
    }
}

/// The programs that the tests start.
enum Program {
    static let probe = BuiltTree.programs + "/screentime-frameworks-probe"
    /// The environment can select another build, for example an optimised one.
    static let monitor =
        ProcessEnvironment.current()["SCREENTIME_SAMPLE_MONITOR"] ?? BuiltTree.programs
        + "/screentime-sample-monitor"

    static let shield = BuiltTree.programs + "/screentime-sample-shield"

    /// The minimum to start a Swift program.
    static let environment = ProcessEnvironment.current().filter {
        ["PATH", "HOME", "LD_LIBRARY_PATH", "TZ", "LANG"].contains($0.key)
    }

    /// Current contents of the pipe.
    static func read(_ pipe: DescriptorPipe) -> String {
        var buffer = [UInt8](repeating: 0, count: 128 * 1024)
        guard Readiness.wait(pipe.readEnd.number, withinMs: 1_000) else { return "" }
        let count = Glibc.read(pipe.readEnd.number, &buffer, buffer.count)
        return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    }
}
