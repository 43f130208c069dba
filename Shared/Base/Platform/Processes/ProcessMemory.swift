import Glibc

/// What a process uses, as the kernel counts it.
package struct ProcessMemory: Sendable, Equatable {
    /// Its share: memory used by several processes is divided among them.
    package var pssBytes: Int64 = 0
    package var rssBytes: Int64 = 0
    package var privateDirtyBytes: Int64 = 0
    package var swapBytes: Int64 = 0
    /// User and system time together.
    package var cpuMs: Int64 = 0
    /// When it started, in milliseconds of boot time.
    package var startedBootMs: Int64 = 0

    /// What nobody else could have loaded: the part that counts against a budget.
    package var privateBytes: Int64 { privateDirtyBytes + swapBytes }

    /// nil when the process is gone, or belongs to somebody else.
    package static func sample(pid: Int32) -> ProcessMemory? {
        guard let rollup = contents("/proc/\(pid)/smaps_rollup"), let stat = contents("/proc/\(pid)/stat")
        else {
            return nil
        }
        return parse(rollup: rollup, stat: stat, ticksPerSecond: Int64(sysconf(Int32(_SC_CLK_TCK))))
    }

    static func parse(rollup: [UInt8], stat: [UInt8], ticksPerSecond: Int64) -> ProcessMemory? {
        var memory = ProcessMemory()
        var found = 0
        for line in rollup.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " "))
            guard words.count >= 2, let kilobytes = Int64(String(decoding: words[1], as: UTF8.self)) else {
                continue
            }
            let bytes = kilobytes.multipliedReportingOverflow(by: 1024)
            guard !bytes.overflow else { return nil }
            found += 1
            switch String(decoding: words[0], as: UTF8.self) {
            case "Pss:": memory.pssBytes = bytes.partialValue
            case "Rss:": memory.rssBytes = bytes.partialValue
            case "Private_Dirty:": memory.privateDirtyBytes = bytes.partialValue
            case "Swap:": memory.swapBytes = bytes.partialValue
            default: found -= 1
            }
        }
        // The name (second field) may hold spaces and brackets, so counting starts after its last bracket.
        guard found >= 3, ticksPerSecond > 0, let end = stat.lastIndex(of: UInt8(ascii: ")")) else {
            return nil
        }
        let fields = stat[(end + 1)...].split(separator: UInt8(ascii: " ")).map {
            Int64(String(decoding: $0, as: UTF8.self)) ?? 0
        }
        guard fields.count > 19 else { return nil }
        memory.cpuMs = (fields[11] &+ fields[12]) &* 1000 / ticksPerSecond
        memory.startedBootMs = fields[19] &* 1000 / ticksPerSecond
        return memory
    }

    private static func contents(_ path: String) -> [UInt8]? {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let owned = OwnedDescriptor(number)
        var buffer = [UInt8](repeating: 0, count: 4096)
        var length = 0
        while length < buffer.count {
            let count = buffer.withUnsafeMutableBytes {
                read(owned.number, $0.baseAddress?.advanced(by: length), $0.count - length)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            length += count
        }
        return Array(buffer[..<length])
    }
}

/// How much memory of its own one process uses and has used, read again and again while it works.
///
/// What counts is Private_Dirty + Swap, less what is dirty only in a file's cache: what nobody else could have loaded. Reading that exactly means that the kernel
/// walks all of the process's pages (a quarter of a millisecond), so most looks read counters instead, and the exact
/// figure is taken when those have moved.
///
/// A peak between two looks shows in the kernel's high-water mark, less what was mapped from files or shared. A file
/// that was mapped and let go between two looks shows there too; but memory of one's own costs a page fault for each
/// page, and a file one for many, so the faults tell the two apart.
package struct MemoryGauge {
    /// What /proc/PID/status and /proc/PID/stat say, in bytes.
    struct Counters: Equatable {
        var peak: Int64 = 0
        var resident: Int64 = 0
        var anonymous: Int64 = 0
        var file: Int64 = 0
        var shared: Int64 = 0
        var swap: Int64 = 0
        /// Page faults so far.
        var faults: Int64 = 0
    }

    /// Movement of the counters below this waits for the next exact look.
    private static let step: Int64 = 256 * 1024
    /// Cheap looks after which an exact one is taken however little has moved.
    private static let cheapMax = 12
    private static let pageBytes = Int64(sysconf(Int32(_SC_PAGESIZE)))

    private let status: OwnedDescriptor
    private let stat: OwnedDescriptor
    private let rollup: OwnedDescriptor
    private var last = Counters()
    private var fileMax: Int64 = 0
    private var sharedMax: Int64 = 0
    private var atExact = Counters()
    private var cheapLooks = 0
    /// The most that was seen or worked out.
    package private(set) var peakBytes: Int64 = 0

    /// Nil when the process is gone, or belongs to somebody else.
    ///
    /// The files stay open: what is read from them is about this process and no later one with its number.
    package init?(pid: Int32) {
        let names = ["status", "stat", "smaps_rollup"]
        // Kept at once, so that all are closed when one could not be opened.
        let files = names.map { OwnedDescriptor(open("/proc/\(pid)/\($0)", O_RDONLY | O_CLOEXEC)) }
        guard files.allSatisfy({ $0.number >= 0 }) else { return nil }
        (status, stat, rollup) = (files[0], files[1], files[2])
        // Sets the high-water mark back to now. Where that is refused, only what lies above an older peak shows.
        let reset = open("/proc/\(pid)/clear_refs", O_WRONLY | O_CLOEXEC)
        if reset >= 0 {
            _ = write(reset, "5", 1)
            close(reset)
        }
        guard let counters = counters() else { return nil }
        last = counters
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
            abs(now.resident - atExact.resident) > Self.step || now.peak - last.peak > Self.step
            || abs(now.swap - atExact.swap) > Self.step
        cheapLooks += 1
        let before = last
        last = now
        guard isLast || hasMoved || cheapLooks > Self.cheapMax else { return peakBytes }
        cheapLooks = 0
        atExact = now
        guard let own = privateBytes(now) else { return nil }
        peakBytes = max(peakBytes, own, min(own + unseen(now, before), reached(now, before)))
        return peakBytes
    }

    /// What stood above the present since the last look and came from no file and no shared memory, as far as is known.
    private func unseen(_ now: Counters, _ before: Counters) -> Int64 {
        guard now.peak > before.peak else { return 0 }
        let above = now.peak - now.resident
        return max(0, above - (fileMax - now.file) - (sharedMax - now.shared))
    }

    /// The most that can have been its own since the last look: what was, and a page for each fault.
    private func reached(_ now: Counters, _ before: Counters) -> Int64 {
        before.anonymous + before.shared + before.swap + (now.faults - before.faults) * Self.pageBytes
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
        guard let status = Self.read(status), let stat = Self.read(stat) else { return nil }
        return Self.parse(status, stat)
    }

    /// Nil for a process that has ended: a zombie has no memory lines.
    static func parse(_ status: [UInt8], _ stat: [UInt8]) -> Counters? {
        var counters = Counters()
        var hasMemory = false
        lines(status) { name, kilobytes in
            let bytes = kilobytes * 1024
            switch name {
            case "VmHWM":
                counters.peak = bytes
                hasMemory = true
            case "VmRSS": counters.resident = bytes
            case "RssAnon": counters.anonymous = bytes
            case "RssFile": counters.file = bytes
            case "RssShmem": counters.shared = bytes
            case "VmSwap": counters.swap = bytes
            default: break
            }
        }
        // The name (second field) may hold spaces and brackets, so counting starts after its last bracket.
        guard hasMemory, let end = stat.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = stat[(end + 1)...].split(separator: UInt8(ascii: " "), maxSplits: 8)
        guard fields.count > 7, let faults = Int64(String(decoding: fields[7], as: UTF8.self)) else {
            return nil
        }
        counters.faults = faults
        return counters
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
