/// Whether a process is a part of an app, or was started by it as something else.
struct Kin {
    let view: ProcessView
    let facts: NeverFacts
    let app: String
    let account: UInt32?
    /// Of the app's windows' processes.
    let cgroups: Set<String>
    let scope: AppScope?

    /// `parent` is nil for an orphan.
    func isOwn(_ entry: ProcessEntry, of parent: ProcessEntry?) -> Bool {
        guard isSomebodys(entry), isInPlace(entry) else { return false }
        guard let parent else { return true }
        if entry.terminal != 0 && entry.terminal != parent.terminal { return false }
        // A session of its own is how a daemon or another app is started; a helper is the same program once more.
        let leads = entry.session == entry.pid && parent.session != entry.session
        return !leads || home(entry) == home(parent)
    }

    /// The unit was made for the app, so that only what is clearly somebody else's is left out.
    func mayBeInScope(_ entry: ProcessEntry) -> Bool { isSomebodys(entry) }

    private func isSomebodys(_ entry: ProcessEntry) -> Bool {
        if entry.isKernel { return false }
        if let owners = facts.windowOwners[entry.pid], !owners.isEmpty {
            return owners.contains(app)
        }
        if facts.chromePids.contains(entry.pid) { return false }
        if ProcessDetails.account(entry.pid) != account { return false }
        // A terminal among them is not left out but makes the whole of it one that is never paused (`NeverList`).
        return ProcessDetails.programs(entry).allSatisfy { program in
            NeverPrograms.part(of: program).map { $0 == .terminal } ?? true
        }
    }

    private func isInPlace(_ entry: ProcessEntry) -> Bool {
        guard let cgroup = ProcessDetails.cgroup(entry.pid) else { return cgroups.isEmpty }
        if AppScope(cgroup: cgroup) != scope { return false }
        return cgroups.contains { $0 == "/" || cgroup == $0 || cgroup.hasPrefix($0 + "/") }
    }

    /// What two processes of one app have in common: the folder of their programs, or, where that is one for all
    /// programs, the program itself.
    func home(_ entry: ProcessEntry) -> String? {
        guard let path = ProcessDetails.executable(entry.pid), let slash = path.lastIndex(of: "/") else {
            return nil
        }
        let folder = path[..<slash]
        let isCommon = ["/bin", "/sbin", "/games", "/libexec"].contains { folder.hasSuffix($0) }
        return isCommon ? ([path] + ProcessDetails.programs(entry)).joined(separator: " ") : String(folder)
    }
}
