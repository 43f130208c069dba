import Glibc
import STTestSupport

/// The thread of an adapter, for tests of how often it wakes up.
struct AdapterThread {
    /// Below /proc.
    private let place: String

    /// Which one calls this, as an adapter does where it tells something.
    static func current() -> AdapterThread {
        var buffer = [CChar](repeating: 0, count: 128)
        let count = readlink("/proc/thread-self", &buffer, buffer.count)
        let bytes = buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:))
        return AdapterThread(place: String(decoding: bytes, as: UTF8.self))
    }

    /// How often it has gone to sleep; 0 of a thread that is not there.
    var sleeps: Int {
        let lines = ScratchDirectory.text("/proc/\(place)/status").split(separator: "\n")
        let line = lines.first { $0.hasPrefix("voluntary_ctxt_switches") }
        return line.flatMap { $0.split(separator: "\t").last }.flatMap { Int($0) } ?? 0
    }
}
