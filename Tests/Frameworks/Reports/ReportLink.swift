import STClientLink
import STContracts
import STFoundationTypes
import STPlatform
import Synchronization

/// A link whose services are closures.
final class ReportLink: LinkChannel {
    typealias Answer = @Sendable (LinkRequest) throws -> [UInt8]

    private let answer: Answer
    private let seen = Mutex<[LinkRequest]>([])

    init(_ answer: @escaping Answer) { self.answer = answer }

    /// Answers `report.data` with those parts, whatever the filter.
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
            Result { try answer(request) }.mapError { ($0 as? Problem) ?? Problem("test.failed", "\($0)") }
        )
    }

    func watch(_ service: ServiceName, topics: [String], _ heard: @escaping @Sendable () -> Void) {}

    func after(milliseconds: Int64, _ work: @escaping @Sendable () -> Void) { work() }
}
