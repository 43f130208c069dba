import Glibc
import STTestSupport

/// The thread of an adapter, for tests of its wake-ups.
struct AdapterThread {
    /// The path below /proc.
    private let place: String

    /// Returns the calling thread. An adapter calls it when it reports an event.
    static func current() -> AdapterThread {
        var buffer = [CChar](repeating: 0, count: 128)
        let count = readlink("/proc/thread-self", &buffer, buffer.count)
        let bytes = buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:))
        return AdapterThread(place: String(decoding: bytes, as: UTF8.self))
    }

    /// Number of times that the thread has gone to sleep. 0 if it does not exist.
    var sleeps: Int {
        let lines = ScratchDirectory.text("/proc/\(place)/status").split(separator: "\n")
        let line = lines.first { $0.hasPrefix("voluntary_ctxt_switches") }
        return line.flatMap { $0.split(separator: "\t").last }.flatMap { Int($0) } ?? 0
    }
}
