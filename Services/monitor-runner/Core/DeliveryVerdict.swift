import STPlatform

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
