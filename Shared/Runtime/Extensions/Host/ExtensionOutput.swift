import Glibc
import STPlatform

/// A line that an extension wrote, or that its host wrote about it.
package struct ExtensionLine: Sendable, Equatable {
    package enum Source: String, Sendable {
        case output = "stdout"
        case error = "stderr"
        case log
        case host
    }

    package var app: String
    package var member: String
    /// The call under way, or nil between calls.
    package var delivery: String?
    package var attempt: Int64
    package var wallMs: Int64
    package var source: Source
    /// `debug`, `info`, `notice`, `error` or `fault`.
    package var level: String
    /// A Logger's subsystem and category, separated by a colon.
    package var category: String
    package var text: String

    package init(
        app: String,
        member: String,
        delivery: String? = nil,
        attempt: Int64 = 0,
        wallMs: Int64,
        source: Source,
        level: String,
        category: String = "",
        text: String
    ) {
        self.app = app
        self.member = member
        self.delivery = delivery
        self.attempt = attempt
        self.wallMs = wallMs
        self.source = source
        self.level = level
        self.category = category
        self.text = text
    }

    /// Upper bound on the text. Longer lines are cut.
    package static let textBytesMax = 4 * 1024
}

/// The three pipes into which an extension writes, read line by line on the loop's thread.
final class ExtensionOutput {
    typealias Source = ExtensionLine.Source

    private final class Stream {
        let source: Source
        let pipe: DescriptorPipe
        var splitter = LineSplitter(lineBytesMax: ExtensionLine.textBytesMax)
        var isOpen = true

        init(_ source: Source) throws {
            self.source = source
            pipe = try DescriptorPipe()
            try pipe.makeReadEndNonblocking()
        }
    }

    /// Upper bound on the bytes that one turn reads from one pipe.
    private static let turnBytes = 64 * 1024

    private let thread: LoopThread
    private var streams: [Stream]
    private var buffer = [UInt8](repeating: 0, count: turnBytes)
    /// Called with the number of bytes read, before their lines.
    var onBytes: (Int) -> Void = { _ in }
    var onLine: (Source, String) -> Void = { _, _ in }

    init(_ thread: LoopThread) throws {
        self.thread = thread
        streams = [try Stream(.output), try Stream(.error), try Stream(.log)]
    }

    /// Returns the descriptor to which the child writes.
    func writeEnd(_ source: Source) -> Int32 {
        streams.first { $0.source == source }?.pipe.writeEnd.number ?? -1
    }

    func watch() {
        for stream in streams {
            thread.currentWaiter.watch(descriptor: stream.pipe.readEnd.number) { [unowned self] in
                read(stream)
            }
        }
    }

    /// Reads a bounded amount of the available output, and passes on unfinished lines as lines.
    func drain() {
        for stream in streams {
            if stream.isOpen { read(stream) }
            stream.splitter.finish { onLine(stream.source, $0) }
        }
    }

    /// Stops reading. A process that continues to write is then blocked permanently.
    func stop() {
        for stream in streams where stream.isOpen {
            stream.isOpen = false
            thread.currentWaiter.unwatch(descriptor: stream.pipe.readEnd.number)
        }
    }

    /// Must be called after the process has ended.
    func close() {
        stop()
        streams = []
    }

    private func read(_ stream: Stream) {
        guard stream.isOpen else { return }
        let count = Glibc.read(stream.pipe.readEnd.number, &buffer, buffer.count)
        if count > 0 {
            onBytes(count)
            // `onBytes` may have stopped the reading because of too much output. The rest is then dropped.
            guard stream.isOpen else { return }
            stream.splitter.add(buffer[..<count]) { onLine(stream.source, $0) }
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            stream.isOpen = false
            thread.currentWaiter.unwatch(descriptor: stream.pipe.readEnd.number)
        }
    }
}
