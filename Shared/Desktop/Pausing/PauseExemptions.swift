import Glibc
import STDesktop
package import STPlatform

/// Determines the apps that are never paused, with a reason for people.
package enum PauseExemptions {
    /// Returns the reason, or `nil` if the family may be paused.
    package static func reason(_ family: ProcessFamily, view: ProcessView, facts: PauseExemptionFacts)
        -> Message?
    {
        if facts.apps.contains(family.app) {
            return Message(
                "agent.never-paused-by-setting",
                "It is listed in the setting never_pause."
            )
        }
        let own = OwnProcesses(view, facts)
        for entry in family.parentsFirst {
            if let reason = own.reason(entry.pid) ?? desktop(entry, facts) { return reason }
        }
        for root in family.roots {
            if root.isKernel { return Message("agent.never-paused-kernel", "It is a part of the kernel.") }
            if let reason = account(root) { return reason }
            let others = (facts.windowOwners[root.pid] ?? []).subtracting([family.app]).sorted()
            if let other = others.first {
                return Message(
                    "agent.never-paused-windows-of-other",
                    "The same process shows windows of \(other, "app"), which would stop too."
                )
            }
            if let reason = program(root) { return reason }
        }
        return family.parentsFirst.lazy.compactMap { terminal($0, view) }.first
    }

    private static func desktop(_ entry: ProcessEntry, _ facts: PauseExemptionFacts) -> Message? {
        switch entry.pid {
        case facts.compositorPid: ExemptPrograms.Part.compositor.message
        case facts.windowManagerPid: ExemptPrograms.Part.windowManager.message
        case facts.sessionBusPid: ExemptPrograms.Part.bus.message
        case 1: ExemptPrograms.Part.session.message
        default: nil
        }
    }

    private static func account(_ root: ProcessEntry) -> Message? {
        let owner = ProcessFolder(root.pid).account
        return owner == nil || owner == geteuid()
            ? nil
            : Message("agent.never-paused-other-account", "It belongs to another account on this computer.")
    }

    private static func program(_ entry: ProcessEntry) -> Message? {
        entry.programs.lazy.compactMap { ExemptPrograms.role(of: $0)?.message }.first
    }

    /// Returns the reason for a terminal, which has the other end of a pty open or has started a process in one. The second test is
    /// necessary because some terminals hide their descriptors.
    private static func terminal(_ entry: ProcessEntry, _ view: ProcessView) -> Message? {
        let sentence = ExemptPrograms.Part.terminal.message
        let isTerminal = entry.programs.contains { ExemptPrograms.role(of: $0) == .terminal }
        let holdsOne = ProcessFolder(entry.pid).descriptors?.contains { $0.hasSuffix("/ptmx") } ?? false
        let startedInOne = view.children(of: entry.pid).contains {
            $0.terminal != 0 && $0.terminal != entry.terminal && !$0.hasEnded
        }
        return isTerminal || holdsOne || startedInOne ? sentence : nil
    }
}

/// Facts from the caller about processes that must never be paused.
package struct PauseExemptionFacts: Sendable, Equatable {
    /// Processes of Screen Time, including the caller and its supervisor.
    package var ownPids: Set<Int32>
    /// The folder of the sockets. Screen Time's programs that were started with it as `SCREENTIME_RUN` belong to this instance.
    package var runDirectory: String?
    package var compositorPid: Int32?
    package var windowManagerPid: Int32?
    package var sessionBusPid: Int32?
    /// The setting `never_pause`.
    package var apps: Set<String>
    /// The apps of each process's windows, for all apps.
    package var windowOwners: [Int32: Set<String>]
    /// Processes with panels, docks and the like (`DesktopWindow.isChrome`).
    package var chromePids: Set<Int32>

    package init(
        ownPids: Set<Int32> = [],
        runDirectory: String? = nil,
        compositorPid: Int32? = nil,
        windowManagerPid: Int32? = nil,
        sessionBusPid: Int32? = nil,
        apps: Set<String> = [],
        windowOwners: [Int32: Set<String>] = [:],
        chromePids: Set<Int32> = []
    ) {
        self.ownPids = ownPids
        self.runDirectory = runDirectory
        self.compositorPid = compositorPid
        self.windowManagerPid = windowManagerPid
        self.sessionBusPid = sessionBusPid
        self.apps = apps
        self.windowOwners = windowOwners
        self.chromePids = chromePids
    }
}

/// The processes of Screen Time, and those that they depend on.
struct OwnProcesses: Sendable {
    private let facts: PauseExemptionFacts
    private let ours: Set<Int32>
    private let ancestors: Set<Int32>
    /// The folder of Screen Time's programs.
    private let folder: String?

    init(_ view: ProcessView, _ facts: PauseExemptionFacts) {
        self.facts = facts
        ours = facts.ownPids.union([getpid()])
        ancestors = ours.reduce(into: []) { $0.formUnion(view.ancestors(of: $1)) }
        folder = ProcessFolder(getpid()).executable.map(Self.folder)
    }

    /// Returns the reason that the process must run, or `nil` if Screen Time does not depend on it.
    func reason(_ pid: Int32) -> Message? {
        if ours.contains(pid) || isOfTheSystem(pid) {
            return Message("agent.never-paused-screen-time-itself", "It is Screen Time itself.")
        }
        if ancestors.contains(pid) {
            return Message(
                "agent.never-paused-started-screen-time",
                "Screen Time was started from this app and would be paused with it."
            )
        }
        return nil
    }

    /// Returns true for a program of Screen Time that was started for this run directory. The variable is not sufficient, because a
    /// shell with this environment can also start other apps.
    private func isOfTheSystem(_ pid: Int32) -> Bool {
        guard let run = facts.runDirectory, let folder, let path = ProcessFolder(pid).executable,
            Self.folder(path) == folder
        else { return false }
        return ProcessTable.value(of: "SCREENTIME_RUN", in: pid) == run
    }

    private static func folder(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}
