import Glibc
import STDomain
import STPlatform

/// The folder of one process in /proc. Every access reads it again. Absent values, and those hidden from this account, are `nil`.
package struct ProcessFolder: Sendable {
    private static let statusBytesMax = 16 * 1024
    private static let argumentsBytesMax = 8 * 1024
    private static let sandboxBytesMax = 8 * 1024
    private static let descriptorsMax = 4_096
    private static let samples = 64
    private static let wholeBytesMax: Int64 = 64 << 20
    /// The lowest ID of a regular account. System accounts have lower IDs.
    private static let accountsFirst: UInt32 = 1_000

    private let pid: Int32
    private let path: String

    package init(_ pid: Int32) {
        self.pid = pid
        path = "/proc/\(pid)"
    }

    /// The content of `stat`: one line with parent, group, session, state and start.
    package var statLine: [UInt8]? { pid > 0 ? ProcFile.bytes("\(path)/stat", limit: 4_096) : nil }

    /// The path of the executable, as the process sees it.
    ///
    /// `isDeleted` is true if the file was replaced or removed after the start, usually by an update. The process still runs the
    /// old file.
    package var program: (path: String, isDeleted: Bool)? {
        guard let path = ProcFile.asOwnGroup({ ProcFile.link("\(self.path)/exe") }) else { return nil }
        let mark = " (deleted)"
        return path.hasSuffix(mark) ? (String(path.dropLast(mark.count)), true) : (path, false)
    }

    package var executable: String? { program?.path }

    /// The beginning of the command line. A process can write anything there.
    package var arguments: [String] {
        let bytes = ProcFile.bytes("\(path)/cmdline", limit: Self.argumentsBytesMax) ?? []
        return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The real user ID of the process. `nil` if the process has ended.
    ///
    /// Read from `status`, because the folder of a process that protects its memory belongs to root.
    package var account: UInt32? {
        let text = ProcFile.text("\(path)/status", limit: Self.statusBytesMax) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("Uid:") }
        return line?.split(separator: "\t").dropFirst().first.flatMap { UInt32($0) }
    }

    /// The cgroups of the process in all hierarchies, one per line.
    package var cgroups: String { ProcFile.text("\(path)/cgroup", limit: Self.statusBytesMax) ?? "" }

    /// The cgroup in the hierarchy of version 2, such as `/user.slice/…/app-firefox-12.scope`.
    package var cgroup: String? {
        let line = cgroups.split(separator: "\n").first { $0.hasPrefix("0::/") }
        return line.map { String($0.dropFirst(3)) }
    }

    /// The targets of the open descriptors.
    package var descriptors: [String]? { ProcFile.asOwnGroup { openFiles } }

    private var openFiles: [String]? {
        guard let stream = opendir("\(path)/fd") else { return nil }
        defer { closedir(stream) }
        var targets: [String] = []
        while targets.count < Self.descriptorsMax, let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let target = ProcFile.link("\(path)/fd/\(name)") { targets.append(target) }
        }
        return targets
    }

    /// True if the process has a different root folder, as in a sandbox.
    var hasOtherRoot: Bool {
        var root = stat()
        var own = stat()
        guard stat("\(path)/root/", &root) == 0, stat("/", &own) == 0 else { return false }
        return root.st_dev != own.st_dev || root.st_ino != own.st_ino
    }

    /// The file that Flatpak writes into the root of its sandboxes.
    var flatpakInfo: String? { ProcFile.text("\(path)/root/.flatpak-info", limit: Self.sandboxBytesMax) }

    /// The size of the executable in bytes.
    var programBytes: Int64? {
        var about = stat()
        return stat("\(path)/exe", &about) == 0 ? Int64(about.st_size) : nil
    }

    /// Returns true if the executable of the process has the same content as this file.
    func runsCopy(of file: String, bytes: Int64) -> Bool {
        ProcFile.asOwnGroup { hasContent(of: file, bytes: bytes) }
    }

    private func hasContent(of file: String, bytes: Int64) -> Bool {
        let (own, other) = (open("\(path)/exe", O_RDONLY | O_CLOEXEC), open(file, O_RDONLY | O_CLOEXEC))
        let (program, original) = (OwnedDescriptor(own), OwnedDescriptor(other))
        guard own >= 0, other >= 0, bytes > 0 else { return false }
        // Of a very large program, only samples are compared.
        let count = bytes <= Self.wholeBytesMax ? Int(bytes / 65_536) + 1 : Self.samples
        var (one, two) = ([UInt8](repeating: 0, count: 65_536), [UInt8](repeating: 0, count: 65_536))
        return (0..<count).allSatisfy { sample in
            let offset = off_t(bytes <= Self.wholeBytesMax ? sample * 65_536 : Int(bytes) / count * sample)
            let read = pread(program.number, &one, one.count, offset)
            return read >= 0 && pread(original.number, &two, two.count, offset) == read && one == two
        }
    }

    /// Returns true if this account can change the program of the process, or the script that an interpreter runs.
    func isReplaceable(_ facts: ProcessFacts) -> Bool {
        guard getuid() != 0, let executable = facts.executable else { return false }
        if isWritable("\(path)/exe") { return true }
        if !facts.isDeleted {
            if isWritable(resolvedPath(ProgramName.folder(executable))) { return true }
            // In a mount namespace of its own, a program can have the path of another one.
            let flatpak = facts.flatpak.map { "/var/lib/flatpak/app/\($0)/current/active/files" } ?? ""
            let places = [executable, flatpak + executable.dropFirst("/app".count)]
            if !places.contains(where: { Self.isSame($0, "\(path)/exe") }) { return true }
        }
        let name = ProgramName.base(executable)
        guard ProgramName.isInterpreter(name) else { return false }
        // Other options can name code that runs before the script, or instead of it.
        let options = facts.arguments.dropFirst().prefix { !$0.hasPrefix("/") }
        guard !name.hasPrefix("ld-"), options.allSatisfy(Self.harmlessOptions.contains),
            let script = facts.script, script.hasPrefix("/")
        else { return true }
        return isWritable(resolvedPath(script)) || isWritable(resolvedPath(ProgramName.folder(script)))
    }

    private static let harmlessOptions: Set<String> = [
        "-E", "-s", "-S", "-u", "-I", "-B", "-O", "-m", "-jar",
    ]

    private static func isSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev
            && first.st_ino == second.st_ino
    }

    /// Converts a path as the process sees it to a path below `/proc/PID/root`.
    private func resolvedPath(_ path: String) -> String { "\(self.path)/root\(path)" }

    /// Returns true also if the owner cannot be determined. On FUSE, the account can choose the reported owner.
    private func isWritable(_ path: String) -> Bool {
        var about = stat()
        guard stat(path, &about) == 0 else { return true }
        // An account can also own files by its subordinate IDs.
        let isOfSystem = about.st_uid < Self.accountsFirst && about.st_uid != getuid()
        return !isOfSystem || access(path, W_OK) == 0 || DirectoryTree.isOnFuse(path)
    }

    /// Returns the value of a variable from the environment at the start of the process.
    func variable(_ name: String) -> String? { ProcessTable.value(of: name, in: pid) }
}
