import Glibc
import STPlatform

/// Small files of the kernel: read whole up to a limit, or not at all.
package enum KernelFile {
    /// Enough for the longest ones, lists of processes.
    package static let bytesMax = 256 * 1024

    /// Nil for what is no regular file, or cannot be read.
    ///
    /// In the root of a sandbox anything may lie under a well-known name: neither links nor pipes are followed.
    package static func bytes(_ path: String, limit: Int = bytesMax) -> [UInt8]? {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY)
        guard number >= 0 else { return nil }
        let owned = OwnedDescriptor(number)
        var info = stat()
        guard fstat(owned.number, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < limit {
            let count = read(owned.number, &buffer, min(buffer.count, limit - bytes.count))
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    package static func text(_ path: String, limit: Int = bytesMax) -> String? {
        bytes(path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Where a link leads, as it is written.
    package static func link(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    /// Writes one short value; the errno when that fails, else 0.
    package static func write(_ text: String, to path: String) -> Int32 {
        let number = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard number >= 0 else { return errno }
        let owned = OwnedDescriptor(number)
        let bytes = Array(text.utf8)
        return Glibc.write(owned.number, bytes, bytes.count) == bytes.count ? 0 : errno
    }
}

/// The folder of one process below /proc, read anew each time; nil is what it does not say, or not to this account.
package struct ProcessFolder: Sendable {
    private static let statusBytesMax = 16 * 1024
    private static let argumentsBytesMax = 8 * 1024
    private static let sandboxBytesMax = 8 * 1024
    private static let descriptorsMax = 4_096

    private let pid: Int32
    private let path: String

    package init(_ pid: Int32) {
        self.pid = pid
        path = "/proc/\(pid)"
    }

    /// One line about parent, group, session, state and start.
    package var statLine: [UInt8]? { pid > 0 ? KernelFile.bytes("\(path)/stat", limit: 4_096) : nil }

    /// The path of its program, as the process sees it.
    ///
    /// `isDeleted` when the file was replaced or removed since, mostly by an update; the process still runs the old one.
    package var program: (path: String, isDeleted: Bool)? {
        guard let path = KernelFile.link("\(path)/exe") else { return nil }
        let mark = " (deleted)"
        return path.hasSuffix(mark) ? (String(path.dropLast(mark.count)), true) : (path, false)
    }

    package var executable: String? { program?.path }

    /// The beginning of its command line; a process may write anything there.
    package var arguments: [String] {
        let bytes = KernelFile.bytes("\(path)/cmdline", limit: Self.argumentsBytesMax) ?? []
        return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The account that it acts for; nil when it has ended.
    ///
    /// From `status`, because a process that guards its memory shows its folder as root's.
    package var account: UInt32? {
        let text = KernelFile.text("\(path)/status", limit: Self.statusBytesMax) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("Uid:") }
        return line?.split(separator: "\t").dropFirst().first.flatMap { UInt32($0) }
    }

    /// Its places in all hierarchies of cgroups, a line each.
    package var cgroups: String { KernelFile.text("\(path)/cgroup", limit: Self.statusBytesMax) ?? "" }

    /// Its place in the one hierarchy of version 2, such as `/user.slice/…/app-firefox-12.scope`.
    package var cgroup: String? {
        let line = cgroups.split(separator: "\n").first { $0.hasPrefix("0::/") }
        return line.map { String($0.dropFirst(3)) }
    }

    /// The targets of its open descriptors.
    package var descriptors: [String]? {
        guard let stream = opendir("\(path)/fd") else { return nil }
        defer { closedir(stream) }
        var targets: [String] = []
        while targets.count < Self.descriptorsMax, let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let target = KernelFile.link("\(path)/fd/\(name)") { targets.append(target) }
        }
        return targets
    }

    /// Whether `/` is another folder for the process than for us, as it is in a sandbox.
    var hasOtherRoot: Bool {
        var root = stat()
        var own = stat()
        guard stat("\(path)/root/", &root) == 0, stat("/", &own) == 0 else { return false }
        return root.st_dev != own.st_dev || root.st_ino != own.st_ino
    }

    /// What Flatpak writes into the root of its sandboxes.
    var flatpakInfo: String? { KernelFile.text("\(path)/root/.flatpak-info", limit: Self.sandboxBytesMax) }

    /// The value of a variable that it was started with.
    func variable(_ name: String) -> String? { ProcessTable.value(of: name, in: pid) }
}
