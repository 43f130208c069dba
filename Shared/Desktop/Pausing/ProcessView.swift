import STDesktop
import STPlatform

/// One look at all processes: who started whom.
///
/// It reads one small file per process. Everything else (program, account, cgroup) is read from `ProcessFolder` when it is
/// needed, and only for an app's own processes.
package struct ProcessView: Sendable {
    /// More processes than this are not looked at.
    package static let processesMax = 65_536

    package private(set) var entries: [Int32: ProcessEntry] = [:]
    private var childrenOf: [Int32: [Int32]] = [:]

    package init(_ entries: [ProcessEntry]) {
        for entry in entries.prefix(Self.processesMax) {
            self.entries[entry.pid] = entry
            childrenOf[entry.parent, default: []].append(entry.pid)
        }
    }

    /// A new look.
    package static func now() -> ProcessView {
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

    /// Parents and theirs, up to the first process; not itself.
    package func ancestors(of pid: Int32) -> Set<Int32> {
        var found: Set<Int32> = []
        var next = entries[pid]?.parent ?? 0
        // A circle cannot be in one look of the kernel's, but one look is many here.
        while next > 0, found.insert(next).inserted { next = entries[next]?.parent ?? 0 }
        return found
    }

    /// How many steps it is from the first process: a process has fewer than those it started.
    package func depth(of pid: Int32) -> Int { ancestors(of: pid).count }
}

/// A process at the moment of one look at /proc.
package struct ProcessEntry: Sendable, Equatable {
    package var key: ProcessKey
    package var parent: Int32
    package var group: Int32
    package var session: Int32
    /// The controlling terminal; 0 is none.
    package var terminal: Int32
    /// What the process calls itself, 15 bytes of it.
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

    /// By a signal, or by a debugger that looks at it.
    package var isStopped: Bool { state == UInt8(ascii: "T") || state == UInt8(ascii: "t") }

    /// Asleep in the kernel, where no signal reaches it.
    ///
    /// At a disk, or until the child that it has just started has become another program, which that never does while it
    /// is stopped. A stop that was sent keeps it from going on afterwards.
    package var isWaiting: Bool { state == UInt8(ascii: "D") }

    /// Nothing of it runs any more; its parent has not asked yet how it ended.
    package var hasEnded: Bool { state == UInt8(ascii: "Z") || state == UInt8(ascii: "X") }

    /// Programs that run the text of other programs: the text is what counts.
    private static let interpreters = [
        "python", "bash", "dash", "sh", "zsh", "perl", "gjs", "gjs-console", "node", "ruby",
    ]

    /// What the program is called: its file, and the script that it runs.
    ///
    /// Where the file cannot be seen, it is what the process calls itself.
    package var programs: [String] {
        let folder = ProcessFolder(pid)
        guard let path = folder.executable else { return [name] }
        let file = Self.last(path)
        let isInterpreter = Self.interpreters.contains { name in
            file == name
                || file.hasPrefix(name) && file.dropFirst(name.count).allSatisfy { $0.isNumber || $0 == "." }
        }
        guard isInterpreter else { return [file] }
        let script = folder.arguments.dropFirst().first { !$0.hasPrefix("-") }
        return [file] + (script.map { [Self.last($0)] } ?? [])
    }

    private static func last(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// PF_KTHREAD of the kernel's flags.
    private static let kernelFlag: UInt64 = 0x0020_0000

    /// What /proc/PID/stat says; nil for anything else.
    package init?(stat bytes: [UInt8]) {
        // The name may hold spaces and brackets; behind its last bracket comes the rest.
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

/// One process for good: its number together with the moment of its start, because numbers are given away again.
package struct ProcessKey: Sendable, Hashable {
    package var pid: Int32
    /// The moment of its start, in the kernel's ticks since the boot.
    package var start: Int64

    package init(pid: Int32, start: Int64) {
        self.pid = pid
        self.start = start
    }

    /// The process that has this number now.
    package init?(running pid: Int32) {
        guard let entry = ProcessView.entry(pid) else { return nil }
        self = entry.key
    }

    /// Whether the number still belongs to it.
    package var isThere: Bool { ProcessView.entry(pid)?.key == self }
}
