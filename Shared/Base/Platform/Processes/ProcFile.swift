import Glibc
import STCPlatform

/// Reads the kernel's small files, below /proc and the cgroups.
///
/// The process that a folder describes controls some of its entries (a sandbox has its own root). Therefore links, pipes and
/// devices are rejected: they could lead elsewhere or block the reader.
package enum ProcFile {
    /// Reads files with the process's real group instead of its setgid group.
    ///
    /// The kernel shows a process's program only to a reader with the same group. On a protected computer desktop-agent is setgid,
    /// and could not otherwise determine which programs the other processes of its account run.
    package static func asOwnGroup<Value>(_ read: () throws -> Value) rethrows -> Value {
        let group = st_thread_read_as_group(getgid())
        defer { _ = st_thread_read_as_group(group) }
        return try read()
    }

    /// The longest files read here are lists of processes and mounts.
    package static let bytesMax = 256 * 1024

    /// The file's first `limit` bytes. `nil` if it cannot be read.
    package static func bytes(_ path: String, limit: Int = bytesMax) -> [UInt8]? {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY)
        guard number >= 0 else { return nil }
        defer { close(number) }
        var about = stat()
        guard fstat(number, &about) == 0, about.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes = [UInt8](repeating: 0, count: min(limit, 4096))
        var filled = 0
        while filled < limit {
            if filled == bytes.count { bytes += [UInt8](repeating: 0, count: min(filled, limit - filled)) }
            let count = bytes.withUnsafeMutableBytes {
                read(number, $0.baseAddress?.advanced(by: filled), $0.count - filled)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            filled += count
        }
        bytes.removeLast(bytes.count - filled)
        return bytes
    }

    package static func text(_ path: String, limit: Int = bytesMax) -> String? {
        bytes(path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The target of a symbolic link, as it is written. `nil` if there is no link, or its target is too long.
    package static func link(_ path: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = readlink(path, start, buffer.count)
            guard count > 0, count < buffer.count else { return nil }
            return String(decoding: UnsafeRawBufferPointer(buffer)[..<count], as: UTF8.self)
        }
    }

    /// Writes one short value, such as a setting of a cgroup. Returns the errno, or 0.
    package static func write(_ text: String, to path: String) -> Int32 {
        let number = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard number >= 0 else { return errno }
        defer { close(number) }
        let bytes = Array(text.utf8)
        return Glibc.write(number, bytes, bytes.count) == bytes.count ? 0 : errno
    }

    /// The path of the running program, regardless of the name with which it was started.
    package static func ownExecutable() -> String? { link("/proc/self/exe") }

    /// The folder of the running program.
    package static func ownFolder() -> String? {
        ownExecutable().flatMap { own in own.lastIndex(of: "/").map { String(own[..<$0]) } }
    }

    /// The numbers of all processes.
    package static func processes() -> [Int32] {
        ((try? DirectoryTree.names(in: "/proc")) ?? []).compactMap { Int32($0) }
    }

    /// The first `count` fields of /proc/PID/stat after the name. The state is field 0, the parent field 1.
    ///
    /// `nil` if there are fewer. The name may contain spaces and brackets, so counting starts after the last bracket.
    package static func statFields(_ stat: [UInt8], _ count: Int) -> [ArraySlice<UInt8>]? {
        guard let end = stat.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = stat[(end + 1)...].split(separator: UInt8(ascii: " "), maxSplits: count)
        return fields.count >= count ? fields : nil
    }

    /// The parent of a process. `nil` if there is no such process.
    package static func parent(of pid: Int32) -> Int32? {
        bytes("/proc/\(pid)/stat", limit: 4096).flatMap { statFields($0, 2) }?[1].number()
    }

    /// Calls `take` with the name and value of each line of the form `Name:   123 kB`.
    static func eachKilobytes(_ text: [UInt8], _ take: (_ name: String, _ kilobytes: Int64) -> Void) {
        for line in text.split(separator: UInt8(ascii: "\n")) where line.last == UInt8(ascii: "B") {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            var kilobytes: Int64 = 0
            // Beyond the bound, a later conversion to bytes could overflow.
            for byte in line[colon...] where byte >= 0x30 && byte <= 0x39 && kilobytes < 1 << 49 {
                kilobytes = kilobytes * 10 + Int64(byte - 0x30)
            }
            take(String(decoding: line[..<colon], as: UTF8.self), kilobytes)
        }
    }
}

extension ArraySlice<UInt8> {
    /// The whole slice as a decimal number.
    func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
        Number(String(decoding: self, as: UTF8.self))
    }
}
