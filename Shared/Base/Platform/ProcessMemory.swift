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
