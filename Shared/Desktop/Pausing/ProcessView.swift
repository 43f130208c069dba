import STDesktop
import STPlatform

/// A snapshot of all processes and their parents.
///
/// A snapshot reads one small file per process. All other facts (program, account, cgroup) are read from `ProcessFolder` when
/// needed, and only for an app's own processes.
package struct ProcessView: Sendable {
    /// Upper bound on processes in a snapshot. Further processes are ignored.
    package static let processesMax = 65_536

    package private(set) var entries: [Int32: ProcessEntry] = [:]
    private var childrenOf: [Int32: [Int32]] = [:]

    package init(_ entries: [ProcessEntry]) {
        for entry in entries.prefix(Self.processesMax) {
            self.entries[entry.pid] = entry
            childrenOf[entry.parent, default: []].append(entry.pid)
        }
    }

    /// Takes a new snapshot.
    package static func capture() -> ProcessView {
        let names = (try? DirectoryTree.names(in: "/proc")) ?? []
        return ProcessView(names.lazy.compactMap { Int32($0) }.prefix(processesMax).compactMap(entry))
    }

    package static func entry(_ pid: Int32) -> ProcessEntry? {
        ProcessFolder(pid).statLine.flatMap { ProcessEntry(stat: $0) }
    }

    package subscript(_ pid: Int32) -> ProcessEntry? { entries[pid] }

    package func children(of pid: Int32) -> [ProcessEntry] {
        (childrenOf[pid] ?? []).compactMap { entries[$0] }
    }

    /// Returns the parents up to the first process, without the process itself.
    package func ancestors(of pid: Int32) -> Set<Int32> {
        var found: Set<Int32> = []
        var next = entries[pid]?.parent ?? 0
        // The snapshot is read file by file, so that it can contain a cycle, although the kernel's process tree never does.
        while next > 0, found.insert(next).inserted { next = entries[next]?.parent ?? 0 }
        return found
    }

    /// Returns the number of ancestors. A process has fewer than the processes that it started.
    package func depth(of pid: Int32) -> Int { ancestors(of: pid).count }
}

/// A process at the moment of a snapshot.
package struct ProcessEntry: Sendable, Equatable {
    package var key: ProcessKey
    package var parent: Int32
    package var group: Int32
    package var session: Int32
    /// The controlling terminal. 0 if there is none.
    package var terminal: Int32
    /// The name that the process gave itself, at most 15 bytes.
    package var name: String
    package var state: UInt8
    package var isKernel: Bool

    package var pid: Int32 { key.pid }

    package init(
        key: ProcessKey,
        parent: Int32,
        group: Int32 = 0,
        session: Int32 = 0,
        terminal: Int32 = 0,
        name: String = "",
        state: UInt8 = UInt8(ascii: "S"),
        isKernel: Bool = false
    ) {
        self.key = key
        self.parent = parent
        self.group = group
        self.session = session
        self.terminal = terminal
        self.name = name
        self.state = state
        self.isKernel = isKernel
    }

    /// Stopped by a signal or by a debugger.
    package var isStopped: Bool { state == UInt8(ascii: "T") || state == UInt8(ascii: "t") }

    /// Uninterruptible sleep in the kernel, in which signals have no effect.
    ///
    /// The process waits for a disk, or for its new child to execute another program, which a stopped child never does. A pending
    /// SIGSTOP stops the process when the wait ends.
    package var isWaiting: Bool { state == UInt8(ascii: "D") }

    /// The process has ended, but its parent has not reaped it yet.
    package var hasEnded: Bool { state == UInt8(ascii: "Z") || state == UInt8(ascii: "X") }

    /// Interpreters, for which the script identifies the program.
    private static let interpreters = [
        "python", "bash", "dash", "sh", "zsh", "perl", "gjs", "gjs-console", "node", "ruby",
    ]

    /// The names of the program: its file, and the script that it runs.
    ///
    /// If the file cannot be determined, it is the name that the process gave itself.
    package var programs: [String] {
        let folder = ProcessFolder(pid)
        guard let path = folder.executable else { return [name] }
        let file = Self.lastComponent(path)
        let isInterpreter = Self.interpreters.contains { name in
            file == name
                || file.hasPrefix(name) && file.dropFirst(name.count).allSatisfy { $0.isNumber || $0 == "." }
        }
        guard isInterpreter else { return [file] }
        let script = folder.arguments.dropFirst().first { !$0.hasPrefix("-") }
        return [file] + (script.map { [Self.lastComponent($0)] } ?? [])
    }

    private static func lastComponent(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// PF_KTHREAD of the kernel's flags.
    private static let kernelFlag: UInt64 = 0x0020_0000

    /// Parses the content of /proc/PID/stat. Returns `nil` for any other content.
    package init?(stat bytes: [UInt8]) {
        // The name can contain spaces and parentheses. The other fields follow its last parenthesis.
        guard let open = bytes.firstIndex(of: UInt8(ascii: "(")),
            let close = bytes.lastIndex(of: UInt8(ascii: ")")), open < close,
            let pid = Int32(String(decoding: bytes[..<open].prefix { $0 != 0x20 }, as: UTF8.self))
        else { return nil }
        let fields = bytes[(close + 1)...].split(separator: 0x20, maxSplits: 20)
        guard fields.count > 19, let state = fields[0].first else { return nil }
        func number(_ index: Int) -> Int64? { Int64(String(decoding: fields[index], as: UTF8.self)) }
        guard let parent = number(1), let group = number(2), let session = number(3),
            let terminal = number(4),
            let flags = number(6), let start = number(19)
        else { return nil }
        self.init(
            key: ProcessKey(pid: pid, start: start),
            parent: Int32(clamping: parent),
            group: Int32(clamping: group),
            session: Int32(clamping: session),
            terminal: Int32(clamping: terminal),
            name: String(decoding: bytes[(open + 1)..<close], as: UTF8.self),
            state: state,
            isKernel: UInt64(bitPattern: flags) & Self.kernelFlag != 0
        )
    }
}

/// Identifies a process permanently: its ID together with the moment of its start, because the kernel reuses IDs.
package struct ProcessKey: Sendable, Hashable {
    package var pid: Int32
    /// The moment of the start, in the kernel's ticks since the boot.
    package var start: Int64

    package init(pid: Int32, start: Int64) {
        self.pid = pid
        self.start = start
    }

    /// Identifies the process that has this ID now. Returns `nil` if there is none.
    package init?(running pid: Int32) {
        guard let entry = ProcessView.entry(pid) else { return nil }
        self = entry.key
    }

    /// True if the ID still belongs to this process.
    package var exists: Bool { ProcessView.entry(pid)?.key == self }
}
