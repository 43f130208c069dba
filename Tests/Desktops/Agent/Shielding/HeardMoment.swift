import STPlatform
import Synchronization

/// When something was heard last.
final class HeardMoment: Sendable {
    private let ns = Mutex<Int64>(0)

    func note() { ns.withLock { $0 = Stopwatch.nanoseconds() } }

    var last: Int64 { ns.withLock { $0 } }
}
