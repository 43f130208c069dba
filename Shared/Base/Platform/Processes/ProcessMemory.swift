import Glibc
import STCPlatform

/// The memory and processor time of a process, as the kernel counts them.
package struct ProcessMemory: Sendable, Equatable {
    /// Prevents other processes of the account from accessing this process's memory and descriptors.
    package static func close() { _ = st_close_memory() }

    /// Raises the limit of open files to `most`, or as far as the system allows.
    package static func raiseDescriptors(to most: UInt) {
        var limits = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limits) == 0 else { return }
        limits.rlim_cur = max(limits.rlim_cur, min(limits.rlim_max, most))
        setrlimit(resource, &limits)
    }

    /// Releases this process's mapped code from memory. Code that runs again is read from the page cache.
    package static func releaseCode() { st_release_code() }

    /// The proportional share: memory used by several processes is divided among them.
    package var pssBytes: Int64 = 0
    package var rssBytes: Int64 = 0
    package var privateDirtyBytes: Int64 = 0
    package var swapBytes: Int64 = 0
    /// User and system time together.
    package var cpuMs: Int64 = 0
    /// The time of its start, in milliseconds of boot time.
    package var startedBootMs: Int64 = 0

    /// Memory that no other process shares. Only this part counts against a budget.
    package var privateBytes: Int64 { privateDirtyBytes + swapBytes }

    /// Measures a process. `nil` if it has ended, or belongs to another account.
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

/// The private memory that a process uses and has used, measured repeatedly while it works.
///
/// Private memory is Private_Dirty + Swap, less the pages that are dirty only in a file's cache. Reading that exactly takes a
/// quarter of a millisecond, because the kernel walks all of the process's pages. Therefore most measurements read counters, and
/// only a change of the counters causes an exact one.
///
/// A peak between two measurements appears in the kernel's high-water mark, less mapped files and shared memory. A file that was
/// mapped and unmapped meanwhile appears there too. The page faults distinguish the two: private memory costs a fault for each
/// page, and a file costs one for many.
package struct MemoryGauge {
    /// Values of /proc/PID/status and /proc/PID/stat, in bytes.
    private struct Counters: Equatable {
        var peak: Int64 = 0
        var resident: Int64 = 0
        var anonymous: Int64 = 0
        var file: Int64 = 0
        var shared: Int64 = 0
        var swap: Int64 = 0
        /// The number of page faults so far.
        var faults: Int64 = 0
    }

    /// Smaller changes of the counters do not cause an exact measurement.
    private static let step: Int64 = 256 * 1024
    /// The number of measurements by counters after which an exact one follows in any case.
    private static let cheapSamplesMax = 12
    private static let pageBytes = Int64(sysconf(Int32(_SC_PAGESIZE)))

    private let status: OwnedDescriptor
    private let stat: OwnedDescriptor
    private let rollup: OwnedDescriptor
    private var last = Counters()
    private var fileMax: Int64 = 0
    private var sharedMax: Int64 = 0
    private var atExact = Counters()
    private var cheapSamples = 0
    /// The largest use so far, measured or estimated.
    package private(set) var peakBytes: Int64 = 0

    /// Starts measuring a process. Fails if it has ended, or belongs to another account.
    ///
    /// The files stay open, so that they are about this process and not a later one with the same number.
    package init?(pid: Int32) {
        let names = ["status", "stat", "smaps_rollup"]
        // Each is owned immediately, so that all are closed if one cannot be opened.
        let files = names.map { OwnedDescriptor(open("/proc/\(pid)/\($0)", O_RDONLY | O_CLOEXEC)) }
        guard files.allSatisfy({ $0.number >= 0 }) else { return nil }
        (status, stat, rollup) = (files[0], files[1], files[2])
        // Reset the high-water mark. If the kernel refuses that, only a use above an older peak is detected.
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

    /// Measures once. Returns the peak, or `nil` if the process has ended.
    ///
    /// With `isLast` the measurement is exact even if the counters have not changed.
    package mutating func sample(isLast: Bool = false) -> Int64? {
        guard let now = counters() else { return nil }
        fileMax = max(fileMax, now.file)
        sharedMax = max(sharedMax, now.shared)
        let hasMoved =
            abs(now.resident - atExact.resident) > Self.step || now.peak - last.peak > Self.step
            || abs(now.swap - atExact.swap) > Self.step
        cheapSamples += 1
        let before = last
        last = now
        guard isLast || hasMoved || cheapSamples > Self.cheapSamplesMax else { return peakBytes }
        cheapSamples = 0
        atExact = now
        guard let own = privateBytes(now) else { return nil }
        peakBytes = max(peakBytes, own, min(own + unsampledBytes(now, before), reachedBytes(now, before)))
        return peakBytes
    }

    /// The estimated rise of private memory above its present size since the last measurement.
    private func unsampledBytes(_ now: Counters, _ before: Counters) -> Int64 {
        guard now.peak > before.peak else { return 0 }
        let above = now.peak - now.resident
        return max(0, above - (fileMax - now.file) - (sharedMax - now.shared))
    }

    /// The maximum possible private memory since the last measurement: the previous value, and a page for each fault.
    private func reachedBytes(_ now: Counters, _ before: Counters) -> Int64 {
        before.anonymous + before.shared + before.swap + (now.faults - before.faults) * Self.pageBytes
    }

    private func privateBytes(_ now: Counters) -> Int64? {
        Self.read(rollup).map { Self.ownBytes(rollup: $0, shared: now.shared) }
    }

    /// Private_Dirty + Swap, without pages that are dirty in the file's own cache.
    ///
    /// The kernel counts a page of a mapped file as dirty until it is on the disk, even if this process has only read it. A program
    /// that was linked a moment ago would seem to have written all of its own code.
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

    /// Reads the counters. `nil` if the process has ended, because a zombie has no memory lines.
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
