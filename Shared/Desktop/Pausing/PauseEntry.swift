package import STContracts

/// One line of the journal: what was held, so that whoever comes after can let go of it.
package struct PauseEntry: WireBody, Codable, Equatable {
    package var app: String
    /// After a restart of the machine nothing of it is held any more.
    package var boot: String
    package var means: PauseMeans
    /// Pairs of number and start of the processes that were sent SIGSTOP, parents first.
    package var processes: [[Int64]]?
    package var cgroup: String?
    /// Tells the cgroup from a later one of the same name.
    package var identity: Int64?
    /// The unit that systemd was asked to freeze, because the cgroup is not ours to write.
    package var unit: String?

    package static func signal(app: String, boot: String, _ keys: [ProcessKey]) -> PauseEntry {
        PauseEntry(app: app, boot: boot, means: .signal, processes: keys.map { [Int64($0.pid), $0.start] })
    }

    package static func freezer(app: String, boot: String, cgroup: String, identity: Int64, unit: String?)
        -> PauseEntry
    {
        PauseEntry(app: app, boot: boot, means: .freezer, cgroup: cgroup, identity: identity, unit: unit)
    }

    package var keys: [ProcessKey] {
        (processes ?? []).compactMap { pair in
            guard pair.count == 2, let pid = Int32(exactly: pair[0]), pid > 1 else { return nil }
            return ProcessKey(pid: pid, start: pair[1])
        }
    }
}
