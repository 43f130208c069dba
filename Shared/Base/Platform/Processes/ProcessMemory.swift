import Glibc
import STCPlatform

/// What a process uses, as the kernel counts it.
package struct ProcessMemory: Sendable, Equatable {
    /// Keeps other processes of the account out of this one's memory and descriptors.
    package static func close() { _ = st_close_memory() }

    /// As many open files as the system lets this process have, up to this many.
    package static func raiseDescriptors(to most: UInt) {
        var limits = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limits) == 0 else { return }
        limits.rlim_cur = max(limits.rlim_cur, min(limits.rlim_max, most))
        setrlimit(resource, &limits)
    }

    /// Lets go of the code of this process that is mapped; what runs again comes back from the page cache.
    package static func releaseCode() { st_release_code() }

    /// Its share: memory used by several processes is divided among them.
    package var pssBytes: Int64 = 0
    package var rssBytes: Int64 = 0
    package var privateDirtyBytes: Int64 = 0
    package var swapBytes: Int64 = 0
    /// User and system time together.
    package var cpuMs: Int64 = 0
    /// When it started, in milliseconds of boot time.
    package var startedBootMs: Int64 = 0

    /// What no other process shares: the part that counts against a budget.
    package var privateBytes: Int64 { privateDirtyBytes + swapBytes }

    /// Nil when the process is gone, or belongs to another account.
    package static func sample(pid: Int32) -> ProcessMemory? {
        guard let rollup = ProcFile.bytes("/proc/\(pid)/smaps_rollup", limit: 4096),
            let stat = ProcFile.bytes("/proc/\(pid)/stat", limit: 4096)
        else { return nil }
        return parse(rollup: rollup, stat: stat, ticksPerSecond: Int64(sysconf(Int32(_SC_CLK_TCK))))
    }

    private static func parse(rollup: [UInt8], stat: [UInt8], ticksPerSecond: Int64) -> ProcessMemory? {
        var memory = ProcessMemory()
        var found = 0
        ProcFile.eachKilobytes(rollup) { name, kilobytes in
            found += 1
            switch name {
            case "Pss": memory.pssBytes = kilobytes * 1024
            case "Rss": memory.rssBytes = kilobytes * 1024
            case "Private_Dirty": memory.privateDirtyBytes = kilobytes * 1024
            case "Swap": memory.swapBytes = kilobytes * 1024
            default: found -= 1
            }
        }
        guard found >= 3, ticksPerSecond > 0, let fields = ProcFile.statFields(stat, 20) else { return nil }
        let ticks = { (field: Int) in fields[field].number(Int64.self) ?? 0 }
        memory.cpuMs = (ticks(11) &+ ticks(12)) &* 1000 / ticksPerSecond
        memory.startedBootMs = ticks(19) &* 1000 / ticksPerSecond
        return memory
    }
}

/// How much private memory one process uses and has used, read again and again while it works.
///
/// What counts is Private_Dirty + Swap, less what is dirty only in a file's cache: memory that no other process shares.
/// To read that exactly, the kernel walks all of the process's pages (a quarter of a millisecond), so most looks read
/// counters instead, and the exact figure is taken when those have moved.
///
/// A peak between two looks shows in the kernel's high-water mark, less what was mapped from files or shared. A file
/// that was mapped and unmapped between two looks shows there too; but private memory costs a page fault for each
/// page, and a file costs one for many, so the faults tell the two apart.
package struct MemoryGauge {
    /// What /proc/PID/status and /proc/PID/stat say, in bytes.
    private struct Counters: Equatable {
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
    /// The largest use so far, seen or worked out.
    package private(set) var peakBytes: Int64 = 0

    /// Nil when the process is gone, or belongs to another account.
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
    /// `isLast` makes the look exact even when the counters have not moved.
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

    /// How far private memory rose above its present size since the last look, as far as the counters tell.
    private func unseen(_ now: Counters, _ before: Counters) -> Int64 {
        guard now.peak > before.peak else { return 0 }
        let above = now.peak - now.resident
        return max(0, above - (fileMax - now.file) - (sharedMax - now.shared))
    }

    /// The most private memory it can have had since the last look: what it had then, and a page for each fault.
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
        ProcFile.eachKilobytes(rollup) { name, kilobytes in
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
    private static func parse(_ status: [UInt8], _ stat: [UInt8]) -> Counters? {
        var counters = Counters()
        var hasMemory = false
        ProcFile.eachKilobytes(status) { name, kilobytes in
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
        guard hasMemory, let faults = ProcFile.statFields(stat, 8)?[7].number(Int64.self) else { return nil }
        counters.faults = faults
        return counters
    }

    private static func read(_ file: OwnedDescriptor) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 8192)
        var count: Int
        repeat { count = pread(file.number, &buffer, buffer.count, 0) } while count < 0 && errno == EINTR
        guard count > 0 else { return nil }
        return Array(buffer[..<count])
    }
}
