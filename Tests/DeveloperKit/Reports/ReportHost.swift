import Foundation
import STClientLink
import STContracts
import STExtensions
import STFoundationTypes
import STPlatform
import STTestKit
import STTestSupport
import Synchronization

/// A host with a sample of a report extension.
final class ReportHost: Sendable {
    private let desk: ExtensionDesk
    private let program: String

    init(
        program: String = "screentime-sample-report",
        _ change: (inout ExtensionLimits) -> Void = { _ in },
        parts: [ReportDataPart] = []
    ) throws {
        self.program = BuiltTree.programs + "/" + program
        let environment = ProcessEnvironment.current().filter {
            ["PATH", "HOME", "LD_LIBRARY_PATH", "TZ"].contains($0.key)
        }
        desk = try ExtensionDesk(
            environment: environment,
            {
                // The memory of a report extension on a phone.
                $0.memoryBytes = 100 << 20
                change(&$0)
            },
            answer: { _ in try ReportData.Reply(parts: parts).encodedBody() }
        )
    }

    var routes: [String] { desk.requests.map(\.route) }

    /// Every test calls this at its end, so that no process remains.
    func stop() async { await desk.stop() }

    func ask(_ method: ReportMethod, _ context: String? = nil) async throws -> ExtensionOutcome {
        let body = ReportCallBody(context: context, filter: Pages.filter, language: "en", zone: "UTC")
        let call = ExtensionCall(
            id: "R",
            attempt: 1,
            method: method.rawValue,
            body: try JSONValue(text: body.encodedBody()),
            wallMs: 5,
            deadlineMs: 0
        )
        let spec = ExtensionSpec(
            app: "org.example.charts",
            member: "owner",
            point: .report,
            executable: program
        )
        return await desk.host.call(spec, ExtensionJob(call: call, cause: "the-question", trace: .fresh()))
    }

    func make(_ context: String) async throws -> ReportCallResult? {
        let outcome = try await ask(.makeReport, context)
        return try outcome.result.map { try ReportCallResult.decodedBody($0.text) }
    }
}

/// A link with closures instead of services.
final class ReportLink: LinkChannel {
    typealias Answer = @Sendable (LinkRequest) throws -> [UInt8]

    private let answer: Answer
    private let seen = Mutex<[LinkRequest]>([])

    init(_ answer: @escaping Answer) { self.answer = answer }

    /// Replies to `report.data` with `parts` for every filter.
    convenience init(parts: [ReportDataPart]) {
        self.init { _ in try ReportData.Reply(parts: parts).encodedBody() }
    }

    var requests: [LinkRequest] { seen.withLock { $0 } }

    var link: ClientLink {
        ClientLink(
            identity: AppIdentity(environment: ["SCREENTIME_APP": "org.example.charts"], executable: ""),
            channel: self
        )
    }

    func start(_ request: LinkRequest, _ completion: @escaping Completion) {
        seen.withLock { $0.append(request) }
        completion(
            Result { try answer(request) }.mapError {
                ($0 as? Problem) ?? Problem("test.failed", verbatim: "\($0)")
            }
        )
    }

    func watch(_ service: ServiceName, topics: [String], _ heard: @escaping @Sendable () -> Void) {}

    func after(milliseconds: Int64, _ work: @escaping @Sendable () -> Void) { work() }
}
