import Glibc
package import STContracts
package import STPlatform

/// Letting go of all that the journal names; needs neither a bus nor the agent.
package struct Thawing: Sendable {
    /// The result for one app.
    package struct App: Sendable, Equatable {
        package var app: String
        package var means: PauseMeans
        /// Processes that could go on; those that have ended meanwhile do not count.
        package var processes: Int
        /// False: it is still held, and its line is still in the journal.
        package var isFree: Bool

        package init(app: String, means: PauseMeans, processes: Int, isFree: Bool) {
            self.app = app
            self.means = means
            self.processes = processes
            self.isFree = isFree
        }
    }

    package struct Report: Sendable {
        package var apps: [App] = []
        /// Why the journal could not be rewritten; what it names was let go of all the same.
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

    /// Safe to run twice, also at the same time.
    package func everything() -> Report {
        let (apps, problem) = journal.settle { entries in
            var apps: [App] = []
            var left: [PauseEntry] = []
            // The last first: what was held later was started later.
            for entry in entries.reversed() where entry.boot == boot {
                let (count, isFree) = release(entry)
                if !isFree { left.insert(entry, at: 0) }
                Self.add(entry, count, isFree, to: &apps)
            }
            return (apps, left)
        }
        return Report(apps: apps.reversed(), problem: problem)
    }

    private static func add(_ entry: PauseEntry, _ count: Int, _ isFree: Bool, to apps: inout [App]) {
        if let index = apps.firstIndex(where: { $0.app == entry.app && $0.means == entry.means }) {
            apps[index].processes += count
            apps[index].isFree = apps[index].isFree && isFree
        } else {
            apps.append(App(app: entry.app, means: entry.means, processes: count, isFree: isFree))
        }
    }

    /// How many processes go on, and whether none is held any more.
    func release(_ entry: PauseEntry) -> (count: Int, isFree: Bool) {
        guard let cgroup = entry.cgroup else {
            let count = SignalHold.release(entry.keys)
            let isFree = count == entry.keys.count || !entry.keys.contains { SignalHold.isStopped($0) }
            return (count, isFree)
        }
        guard let tree else { return (0, false) }
        // A later cgroup of that name was never held by us.
        guard tree.identity(cgroup) == entry.identity else { return (0, true) }
        let count = tree.members(cgroup)?.count ?? 0
        let isFree = FreezerHold(tree: tree, units: units).thaw(cgroup, unit: entry.unit)
        return (isFree ? count : 0, isFree)
    }
}
