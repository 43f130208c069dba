import STPlatform
import Synchronization

/// Keeps lines instead of writing them.
final class CollectedLines: LogSink {
    private let kept = Mutex<[LogRecord]>([])

    var records: [LogRecord] { kept.withLock { $0 } }

    func write(_ record: LogRecord) { kept.withLock { $0.append(record) } }
}
