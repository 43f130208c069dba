import Glibc

/// How much memory of its own one process uses and has used, read again and again while it works.
///
/// What counts is Private_Dirty + Swap, less what is dirty only in a file's cache: what nobody else could have loaded.
/// Reading that exactly means that the kernel walks all of the process's pages (a quarter of a millisecond), so most looks
/// read counters instead, and the exact figure is taken when those have moved. A peak between two looks shows in the
/// kernel's own high-water mark, less what was only mapped from files.
package struct MemoryGauge {
    /// What /proc/PID/status says, in bytes.
    struct Counters: Equatable {
        var peak: Int64 = 0
        var resident: Int64 = 0
        var file: Int64 = 0
        var shared: Int64 = 0
        var swap: Int64 = 0
    }

    /// Movement of the counters below this waits for the next exact look.
    private static let step: Int64 = 256 * 1024
    /// Cheap looks after which an exact one is taken however little has moved.
    private static let cheapMax = 12

    private let status: OwnedDescriptor
    private let rollup: OwnedDescriptor
    private var fileMax: Int64 = 0
    private var sharedMax: Int64 = 0
    private var peakAtStart: Int64 = 0
    private var atExact = Counters()
    private var cheapLooks = 0
    /// The most that was seen or worked out.
    package private(set) var peakBytes: Int64 = 0

    /// Nil when the process is gone, or belongs to somebody else.
    ///
    /// The files stay open: what is read from them is about this process and no later one with its number.
    package init?(pid: Int32) {
        let status = open("/proc/\(pid)/status", O_RDONLY | O_CLOEXEC)
        let rollup = open("/proc/\(pid)/smaps_rollup", O_RDONLY | O_CLOEXEC)
        // Kept at once, so that the one is closed when the other could not be opened.
        self.status = OwnedDescriptor(status)
        self.rollup = OwnedDescriptor(rollup)
        guard status >= 0, rollup >= 0 else { return nil }
        // Sets the high-water mark back to now. Where that is refused, only what lies above an older peak shows.
        let reset = open("/proc/\(pid)/clear_refs", O_WRONLY | O_CLOEXEC)
        if reset >= 0 {
            _ = write(reset, "5", 1)
            close(reset)
        }
        guard let counters = counters() else { return nil }
        peakAtStart = counters.peak
        fileMax = counters.file
        sharedMax = counters.shared
    }

    /// Looks once; nil when the process is gone.
    ///
    /// `isLast`: exact, whatever the counters say.
    package mutating func look(isLast: Bool = false) -> Int64? {
        guard let now = counters() else { return nil }
        fileMax = max(fileMax, now.file)
        sharedMax = max(sharedMax, now.shared)
        let hasMoved =
            abs(now.resident - atExact.resident) > Self.step || now.peak - atExact.peak > Self.step
            || abs(now.swap - atExact.swap) > Self.step
        cheapLooks += 1
        guard isLast || hasMoved || cheapLooks > Self.cheapMax else { return peakBytes }
        cheapLooks = 0
        atExact = now
        guard let own = privateBytes(now) else { return nil }
        peakBytes = max(peakBytes, own + unseen(now))
        return peakBytes
    }

    /// What stood above the present between two looks and came from no file and no shared memory.
    private func unseen(_ now: Counters) -> Int64 {
        guard now.peak > peakAtStart else { return 0 }
        let above = now.peak - now.resident
        return max(0, above - (fileMax - now.file) - (sharedMax - now.shared))
    }

    private func privateBytes(_ now: Counters) -> Int64? {
        Self.read(rollup).map { Self.ownBytes(rollup: $0, shared: now.shared) }
    }

    /// Private_Dirty + Swap, without pages that are dirty in the file's own cache.
    ///
    /// The kernel counts a page of a mapped file as dirty until it is on the disk, even if this process has only read it: a
    /// program that was linked a moment ago would seem to have written all of itself.
    static func ownBytes(rollup: [UInt8], shared: Int64) -> Int64 {
        var dirty: Int64 = 0
        var anonymous: Int64 = 0
        var swap: Int64 = 0
        lines(rollup) { name, kilobytes in
            switch name {
            case "Private_Dirty": dirty = kilobytes * 1024
            case "Anonymous": anonymous = kilobytes * 1024
            case "Swap": swap = kilobytes * 1024
            default: break
            }
        }
        return min(dirty, anonymous + shared) + swap
    }

    private func counters() -> Counters? {
        guard let text = Self.read(status) else { return nil }
        return Self.parse(text)
    }

    /// Nil for a process that has ended: a zombie has no memory lines.
    static func parse(_ status: [UInt8]) -> Counters? {
        var counters = Counters()
        var hasMemory = false
        lines(status) { name, kilobytes in
            switch name {
            case "VmHWM":
                counters.peak = kilobytes * 1024
                hasMemory = true
            case "VmRSS": counters.resident = kilobytes * 1024
            case "RssFile": counters.file = kilobytes * 1024
            case "RssShmem": counters.shared = kilobytes * 1024
            case "VmSwap": counters.swap = kilobytes * 1024
            default: break
            }
        }
        return hasMemory ? counters : nil
    }

    /// Lines of the form `Name:   123 kB`.
    private static func lines(_ text: [UInt8], _ take: (String, Int64) -> Void) {
        for line in text.split(separator: UInt8(ascii: "\n")) where line.last == UInt8(ascii: "B") {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            var kilobytes: Int64 = 0
            for byte in line[colon...] where byte >= 0x30 && byte <= 0x39 && kilobytes < 1 << 50 {
                kilobytes = kilobytes * 10 + Int64(byte - 0x30)
            }
            take(String(decoding: line[..<colon], as: UTF8.self), kilobytes)
        }
    }

    private static func read(_ file: OwnedDescriptor) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 8192)
        var count: Int
        repeat { count = pread(file.number, &buffer, buffer.count, 0) } while count < 0 && errno == EINTR
        guard count > 0 else { return nil }
        return Array(buffer[..<count])
    }
}
