import STDBus
import STPlatform
import Synchronization

/// Passes signals from the thread of a connection to the loop, in order, at most `limit` at a time.
final class SignalInbox: Sendable {
    /// Upper bound on queued signals. After an overflow, the receiver queries all values again.
    static let limit = 1_000

    struct ReceivedSignal: Sendable {
        var signal: DBusMessage
        var at: BootTime
    }

    struct Batch: Sendable {
        var signals: [ReceivedSignal] = []
        /// True if signals were dropped.
        var isIncomplete = false
    }

    private let batch = Mutex(Batch())
    private let thread: LoopThread
    private let onBatch: @Sendable (Batch) -> Void

    /// `take` runs on the loop's thread.
    init(_ thread: LoopThread, _ take: @escaping @Sendable (Batch) -> Void) {
        self.thread = thread
        self.onBatch = take
    }

    func append(_ signal: DBusMessage) {
        let now = Stopwatch.bootTime()
        let isFirst = batch.withLock { batch in
            let isFirst = batch.signals.isEmpty && !batch.isIncomplete
            if batch.signals.count < Self.limit {
                batch.signals.append(ReceivedSignal(signal: signal, at: now))
            } else {
                batch.isIncomplete = true
            }
            return isFirst
        }
        guard isFirst else { return }
        thread.post { [self] in
            let taken = batch.withLock { batch in
                defer { batch = Batch() }
                return batch
            }
            onBatch(taken)
        }
    }
}

/// Cleans texts that programs send over the bus.
enum ReceivedText {
    static let bytesMax = 256

    /// Returns the text without control characters, cut to `bytesMax`, or `nil` if it is empty.
    static func sanitized(_ text: String?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        return DisplayWidth.sanitized(TextFormat.truncated(text, bytes: bytesMax))
    }

    /// Returns the name of a desktop entry without its ending, or `nil` if it is invalid.
    static func entry(_ text: String?) -> String? {
        guard var name = sanitized(text) else { return nil }
        if name.hasSuffix(".desktop") { name.removeLast(8) }
        guard !name.isEmpty, name.utf8.count < bytesMax, !name.utf8.contains(UInt8(ascii: "/")) else {
            return nil
        }
        return name
    }
}
