package import STContracts
package import STPlatform

/// One callback to make, saved before the first attempt.
package struct Delivery: WireBody, Codable, Equatable {
    /// The position in the order. People see it as D18.
    package var number: Int64
    /// The id of the event, the same in every attempt.
    package var id: String
    package var method: MonitorMethod
    /// The occurrence, with its evidence.
    package var occurrence: ActivityOccurrence
    package var traceparent: String?
    /// The number of the current attempt. The first one is 1.
    package var attempt: Int64
    /// The attempts that failed because of the extension.
    var failures: Int64 = 0

    package var app: String { occurrence.app }
    package var member: String { occurrence.member }
    package var name: String { Self.name(number) }

    static func name(_ number: Int64) -> String { "D\(number)" }

    /// Returns the number in a name such as D18, d18 or 18.
    static func number(of name: String) -> Int64? {
        let digits = name.first == "D" || name.first == "d" ? name.dropFirst() : name[...]
        return Int64(digits)
    }
}

extension MonitorMethod {
    /// Creates the callback for an occasion. Fails if there is none.
    init?(_ occasion: ActivityOccasion) {
        switch occasion {
        case .intervalStarted: self = .intervalDidStart
        case .intervalEnded: self = .intervalDidEnd
        case .intervalWillStart: self = .intervalWillStartWarning
        case .intervalWillEnd: self = .intervalWillEndWarning
        case .thresholdReached: self = .eventDidReachThreshold
        case .thresholdWarning: self = .eventWillReachThresholdWarning
        case .thresholdReturned: self = .eventDidReturn
        case .unknown: return nil
        }
    }
}

/// The result of the last attempt.
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

/// The action after a failed attempt.
package enum DeliveryVerdict: Sendable, Equatable {
    /// Immediately: the host interrupted the attempt, so the extension is not to blame.
    case retry
    case retryAfter(Duration)
    case park

    /// The number of failures after which the delivery is parked.
    package static let attempts: Int64 = 3
    private static let delays: [Duration] = [.seconds(1), .seconds(5)]

    /// Returns the action after a failed attempt. `failures` includes this one. At `attempts` failures, the delivery is parked.
    ///
    /// An interruption by the host never counts, because a callback must not be lost if the service restarts three times. A problem
    /// that no retry can solve parks the delivery immediately.
    static func verdict(_ problem: Problem, failures: Int64, attempts: Int64) -> DeliveryVerdict {
        if problem.code == "extension.interrupted" { return .retry }
        guard problem.retryable, failures < attempts else { return .park }
        let index = Int(clamping: max(0, failures - 1))
        return .retryAfter(delays[min(index, delays.count - 1)])
    }

    static func countsAsFailure(_ problem: Problem) -> Bool { problem.code != "extension.interrupted" }

    /// Returns the measured value of a problem, such as `12 MB of 10 MB`, or nil if there is none.
    static func measurement(_ problem: Problem) -> String? {
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
