import Glibc

/// Who is never paused, and why, as a person reads it.
package enum NeverList {
    /// The sentence; nil when the family may be held.
    package static func reason(_ family: ProcessFamily, _ view: ProcessView, _ facts: NeverFacts) -> String? {
        if facts.apps.contains(family.app) {
            return "It is on the list of apps that are only covered (never_pause)."
        }
        let own = OwnProcesses(view, facts)
        for entry in family.parentsFirst {
            if let reason = own.reason(entry.pid) ?? desktop(entry, facts) { return reason }
        }
        for root in family.roots {
            if let reason = root.isKernel ? "It is a part of the kernel." : account(root) { return reason }
            let others = (facts.windowOwners[root.pid] ?? []).subtracting([family.app]).sorted()
            if let other = others.first {
                return "The same process shows windows of \(other), which would stop too."
            }
            if let reason = program(root) { return reason }
        }
        return family.parentsFirst.lazy.compactMap { terminal($0, view) }.first
    }

    private static func desktop(_ entry: ProcessEntry, _ facts: NeverFacts) -> String? {
        switch entry.pid {
        case facts.compositorPid: NeverPrograms.Part.compositor.sentence
        case facts.windowManagerPid: NeverPrograms.Part.windowManager.sentence
        case facts.sessionBusPid: NeverPrograms.Part.bus.sentence
        case 1: NeverPrograms.Part.session.sentence
        default: nil
        }
    }

    private static func account(_ root: ProcessEntry) -> String? {
        let owner = ProcessDetails.account(root.pid)
        return owner == nil || owner == geteuid() ? nil : "It belongs to another account of this computer."
    }

    private static func program(_ entry: ProcessEntry) -> String? {
        ProcessDetails.programs(entry).lazy.compactMap { NeverPrograms.part(of: $0)?.sentence }.first
    }

    /// Whatever holds the other end of a terminal, or has started something in one: some terminals do not let others
    /// see their descriptors.
    private static func terminal(_ entry: ProcessEntry, _ view: ProcessView) -> String? {
        let sentence = NeverPrograms.Part.terminal.sentence
        let isTerminal = ProcessDetails.programs(entry).contains { NeverPrograms.part(of: $0) == .terminal }
        let holdsOne = ProcessDetails.descriptors(entry.pid)?.contains { $0.hasSuffix("/ptmx") } ?? false
        let startedInOne = view.children(of: entry.pid).contains {
            $0.terminal != 0 && $0.terminal != entry.terminal && !$0.hasEnded
        }
        return isTerminal || holdsOne || startedInOne ? sentence : nil
    }
}
