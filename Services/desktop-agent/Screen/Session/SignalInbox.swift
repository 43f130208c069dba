import STDBus
import STPlatform
import Synchronization

/// Signals on their way from the thread of a connection to the loop, in order; never more than `limit` of them.
final class SignalInbox: Sendable {
    /// A program that sends so many at once says nothing worth reading: everything is asked anew instead.
    static let limit = 1_000

    struct Heard: Sendable {
        var signal: DBusMessage
        var bootMs: Int64
    }

    struct Batch: Sendable {
        var heard: [Heard] = []
        /// Some were dropped.
        var isIncomplete = false
    }

    private let batch = Mutex(Batch())
    private let thread: LoopThread
    private let take: @Sendable (Batch) -> Void

    /// `take` runs on the loop's thread.
    init(_ thread: LoopThread, _ take: @escaping @Sendable (Batch) -> Void) {
        self.thread = thread
        self.take = take
    }

    func put(_ signal: DBusMessage) {
        let bootMs = Stopwatch.bootMilliseconds()
        let isFirst = batch.withLock { batch in
            let isFirst = batch.heard.isEmpty && !batch.isIncomplete
            if batch.heard.count < Self.limit {
                batch.heard.append(Heard(signal: signal, bootMs: bootMs))
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
            take(taken)
        }
    }
}

/// Makes safe what programs say of themselves over the bus.
enum HeardText {
    static let bytesMax = 256

    /// Nil for nothing; no control characters, nothing longer than `bytesMax`.
    static func safe(_ text: String?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        return DisplayWidth.harmless(TextFormat.fitting(text, bytes: bytesMax))
    }

    /// The name of a desktop entry: without its ending, and nil for what cannot be one.
    static func entry(_ text: String?) -> String? {
        guard var name = safe(text) else { return nil }
        if name.hasSuffix(".desktop") { name.removeLast(8) }
        guard !name.isEmpty, name.utf8.count < bytesMax, !name.utf8.contains(UInt8(ascii: "/")) else {
            return nil
        }
        return name
    }
}
