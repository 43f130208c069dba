import Glibc

/// What is asked of one process at a time.
package enum ProcessDetails {
    private static let cgroupBytesMax = 16 * 1024
    private static let wordsBytesMax = 8 * 1024
    /// Programs that run other programs' text: the text is what counts.
    private static let interpreters = [
        "python", "bash", "dash", "sh", "zsh", "perl", "gjs", "gjs-console", "node", "ruby",
    ]

    /// The path of its program; nil where this account may not look.
    package static func executable(_ pid: Int32) -> String? {
        guard let path = ProcFile.link("/proc/\(pid)/exe") else { return nil }
        // An update has replaced the file, and the process still runs the old one.
        let gone = " (deleted)"
        return path.hasSuffix(gone) ? String(path.dropLast(gone.count)) : path
    }

    /// What the program is called: its file, and the script that it runs.
    ///
    /// Where the file cannot be seen, what the process calls itself must do.
    package static func programs(_ entry: ProcessEntry) -> [String] {
        guard let path = executable(entry.pid) else { return [entry.name] }
        let file = last(path)
        let isInterpreter = interpreters.contains { name in
            file == name
                || file.hasPrefix(name) && file.dropFirst(name.count).allSatisfy { $0.isNumber || $0 == "." }
        }
        guard isInterpreter else { return [file] }
        let words = (ProcFile.bytes("/proc/\(entry.pid)/cmdline", limit: wordsBytesMax) ?? []).split(
            separator: 0
        )
        let script = words.dropFirst().first { $0.first != UInt8(ascii: "-") }
        return [file] + (script.map { [last(String(decoding: $0, as: UTF8.self))] } ?? [])
    }

    /// Whose it is, by the account that it acts for; nil when it has ended.
    ///
    /// Of /proc/PID/status, because a process that guards its memory shows its folder as root's.
    package static func account(_ pid: Int32) -> UInt32? {
        guard let text = ProcFile.text("/proc/\(pid)/status", limit: cgroupBytesMax) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("Uid:") }
        return line?.split(separator: "\t").dropFirst().first.flatMap { UInt32($0) }
    }

    /// Its place in the one hierarchy of version 2, such as `/user.slice/…/app-firefox-12.scope`.
    package static func cgroup(_ pid: Int32) -> String? {
        guard let text = ProcFile.text("/proc/\(pid)/cgroup", limit: cgroupBytesMax) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("0::/") }
        return line.map { String($0.dropFirst(3)) }
    }

    /// What its descriptors lead to, at most so many; nil where this account may not look.
    package static func descriptors(_ pid: Int32, max: Int = 4_096) -> [String]? {
        let folder = "/proc/\(pid)/fd"
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var targets: [String] = []
        while targets.count < max, let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let target = ProcFile.link("\(folder)/\(name)") { targets.append(target) }
        }
        return targets
    }

    static func last(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
