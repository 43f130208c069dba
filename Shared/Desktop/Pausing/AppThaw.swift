import Glibc
package import STContracts
package import STPlatform

/// Resumes all processes in the journal. Needs neither a bus nor the agent.
package struct AppThaw: Sendable {
    /// The result for one app.
    package struct App: Sendable, Equatable {
        package var app: String
        package var means: PauseMeans
        /// The number of resumed processes. Those that have ended meanwhile do not count.
        package var processes: Int
        /// False if the app is still paused. Its line then stays in the journal.
        package var isResumed: Bool

        package init(app: String, means: PauseMeans, processes: Int, isFree: Bool) {
            self.app = app
            self.means = means
            self.processes = processes
            self.isResumed = isFree
        }
    }

    package struct Report: Sendable {
        package var apps: [App] = []
        /// The reason that the journal could not be rewritten. Its processes were resumed anyway.
        package var problem: Problem?
    }

    let journal: PauseJournal
    let tree: CgroupTree?
    let units: (any UnitFreezing)?
    let boot: String

    package init(
        journal: PauseJournal,
        tree: CgroupTree? = CgroupTree(),
        units: (any UnitFreezing)? = nil,
        boot: String = SystemTimeSource().bootID
    ) {
        self.journal = journal
        self.tree = tree
        self.units = units
        self.boot = boot
    }

    /// Resumes everything. Safe to run repeatedly and concurrently.
    package func thawAll() -> Report {
        let (apps, problem) = journal.release { entries in
            var apps: [App] = []
            var left: [PauseEntry] = []
            // In reverse order, because processes that were paused later were started later.
            for entry in entries.reversed() where entry.boot == boot {
                let (count, isFree) = release(entry)
                if !isFree { left.insert(entry, at: 0) }
                Self.add(entry, count: count, isFree: isFree, to: &apps)
            }
            return (apps, left)
        }
        return Report(apps: apps.reversed(), problem: problem)
    }

    private static func add(_ entry: PauseEntry, count: Int, isFree: Bool, to apps: inout [App]) {
        if let index = apps.firstIndex(where: { $0.app == entry.app && $0.means == entry.means }) {
            apps[index].processes += count
            apps[index].isResumed = apps[index].isResumed && isFree
        } else {
            apps.append(App(app: entry.app, means: entry.means, processes: count, isFree: isFree))
        }
    }

    /// Returns the number of resumed processes, and whether the pause is over for all processes.
    func release(_ entry: PauseEntry) -> (count: Int, isFree: Bool) {
        guard let cgroup = entry.cgroup else {
            let count = SignalStopper.release(entry.keys)
            let isFree = count == entry.keys.count || !entry.keys.contains { SignalStopper.isStopped($0) }
            return (count, isFree)
        }
        guard let tree else { return (0, false) }
        // A later cgroup of that name was never paused by Screen Time.
        guard tree.identity(cgroup) == entry.identity else { return (0, true) }
        let count = tree.members(cgroup)?.count ?? 0
        let isFree = CgroupFreezer(tree: tree, units: units).thaw(cgroup, unit: entry.unit)
        return (isFree ? count : 0, isFree)
    }
}
