package import STContracts
package import STPlatform

/// One callback to be made, as it was written down before it was tried.
package struct Delivery: WireBody, Codable, Equatable {
    /// Its place in the order; people see it as D18.
    package var number: Int64
    /// The id of the event, the same in every attempt.
    package var id: String
    package var method: MonitorMethod
    /// What is told, with its evidence.
    package var occurrence: ActivityOccurrence
    package var traceparent: String?
    /// From 1, for the attempt that is being made.
    package var attempt: Int64
    /// Of the attempts that were the extension's own fault.
    var failures: Int64 = 0

    package var app: String { occurrence.app }
    package var member: String { occurrence.member }
    package var name: String { Self.name(number) }

    static func name(_ number: Int64) -> String { "D\(number)" }

    /// The number in a name such as D18, whichever way it is typed.
    static func number(of name: String) -> Int64? {
        let digits = name.first == "D" || name.first == "d" ? name.dropFirst() : name[...]
        return Int64(digits)
    }
}

extension MonitorMethod {
    /// The callback that tells of an occasion.
    init?(_ occasion: ActivityOccasion) {
        switch occasion {
        case .intervalStarted: self = .intervalDidStart
        case .intervalEnded: self = .intervalDidEnd
        case .intervalWillStart: self = .intervalWillStartWarning
        case .intervalWillEnd: self = .intervalWillEndWarning
        case .thresholdReached: self = .eventDidReachThreshold
        case .thresholdWarning: self = .eventWillReachThresholdWarning
        case .unknown: return nil
        }
    }
}

/// How the last attempt went.
package struct DeliveryResult: WireBody, Codable, Equatable {
    package var problem: Problem?
    package var tookMs: Int64?
    package var privateKib: Int64?
    package var lastOutput: [String]

    private static let linesMax = 30
    private static let lineCharactersMax = 400

    package init(
        problem: Problem? = nil,
        tookMs: Int64? = nil,
        privateKib: Int64? = nil,
        lastOutput: [String] = []
    ) {
        self.problem = problem
        self.tookMs = tookMs
        self.privateKib = privateKib
        self.lastOutput = lastOutput.suffix(Self.linesMax).map { line in
            line.count > Self.lineCharactersMax ? line.prefix(Self.lineCharactersMax) + "…" : line
        }
    }
}

/// What an attempt that did not go well leads to.
package enum DeliveryVerdict: Sendable, Equatable {
    /// At once: it was nobody's fault.
    case again
    case after(ms: Int64)
    case park

    /// Attempts that may fail before the delivery is parked; and the real time before each next one.
    package static let attempts: Int64 = 3
    private static let delaysMs: [Int64] = [1_000, 5_000]

    /// `failures` counts this one; `attempts` may fail before it is parked.
    ///
    /// What the host itself did (its own end) is never counted: a callback is not lost because a service was ended
    /// three times. What cannot get better by trying is parked at once.
    static func judge(_ problem: Problem, failures: Int64, attempts: Int64) -> DeliveryVerdict {
        if problem.code == "extension.interrupted" { return .again }
        guard problem.retryable, failures < attempts else { return .park }
        let index = Int(clamping: max(0, failures - 1))
        return .after(ms: delaysMs[min(index, delaysMs.count - 1)])
    }

    static func countsAsFailure(_ problem: Problem) -> Bool { problem.code != "extension.interrupted" }

    /// What was measured, in short, where something was.
    static func figure(_ problem: Problem) -> String? {
        let details = problem.details
        if let bytes = number(details["bytes"]), let limit = number(details["limit_bytes"]) {
            return problem.code == "extension.over_output"
                ? "\(bytes / 1024) KiB of \(limit / 1024) KiB"
                : "\(megabytes(bytes)) of \(megabytes(limit))"
        }
        if let limit = number(details["limit_ms"]) {
            return limit % 1000 == 0 ? "\(limit / 1000) s" : "\(limit) ms"
        }
        return details["signal"] ?? details["status"].map { "status \($0)" }
    }

    private static func number(_ text: String?) -> Int64? { text.flatMap { Int64($0) } }

    private static func megabytes(_ bytes: Int64) -> String {
        let tenths = (bytes * 10 + (1 << 19)) >> 20
        return tenths % 10 == 0 ? "\(tenths / 10) MB" : "\(tenths / 10).\(tenths % 10) MB"
    }
}
