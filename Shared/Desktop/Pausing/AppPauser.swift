import Glibc
import STContracts
package import STDesktop
package import STPlatform

/// Pauses and resumes apps, on its own thread, so that waiting for a freezer blocks no other work.
package actor AppPauser: AppPausing {
    /// The pause of one app.
    private struct PausedApp {
        var entries: [PauseEntry]
        var means: PauseMeans
        var keys: [ProcessKey] = []
        var scope: AppScope?
    }

    private let thread: LoopThread
    private let journal: PauseJournal
    private let tree: CgroupTree?
    private let units: (any UnitFreezing)?
    private let boot: String
    private let facts: @Sendable () -> PauseExemptionFacts
    private let recordingDetector: RecordingDetector
    private var pausedApps: [String: PausedApp] = [:]
    /// Apps that should run again but could not be resumed yet.
    private var stuck: Set<String> = []
    private var retryMs = retryMsMin
    private var isWaiting = false
    private static let retryMsMin: Int64 = 1_000
    private static let retryMsMax: Int64 = 30_000

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// `facts` is called before each verdict, on the pauser's threads.
    package init(
        journal: PauseJournal,
        environment: [String: String],
        tree: CgroupTree? = CgroupTree(),
        units: (any UnitFreezing)? = nil,
        devices: [RecordingDevice] = RecordingDevice.linux,
        facts: @escaping @Sendable () -> PauseExemptionFacts
    ) throws {
        thread = try LoopThread(name: "pausing")
        self.journal = journal
        self.tree = tree
        self.units = units
        self.facts = facts
        self.recordingDetector = try RecordingDetector(environment: environment, devices: devices)
        boot = SystemTimeSource().bootID
    }

    /// Resumes all apps and ends the threads. Must be the last call.
    package func close() async {
        thawAll()
        await recordingDetector.close()
        thread.stop()
    }

    // MARK: - Verdicts

    package func verdict(app: String, pids: [Int32]) -> PauseVerdict { evaluate(app, pids).verdict }

    private func evaluate(_ app: String, _ pids: [Int32]) -> (verdict: PauseVerdict, family: ProcessFamily) {
        let facts = facts()
        let view = ProcessView.capture()
        let family = ProcessFamily(app: app, pids: pids, view: view, facts: facts, tree: tree)
        if pids.isEmpty { return (.impossible(Self.unknown), family) }
        if family.roots.isEmpty { return (.impossible(Self.ended), family) }
        if family.isTooLarge { return (.impossible(Self.tooLarge), family) }
        if let reason = PauseExemptions.reason(family, view: view, facts: facts) {
            return (.never(reason), family)
        }
        return (.allowed(route(family) == nil ? .signal : .freezer), family)
    }

    private static let unknown = Message("agent.processes-unknown", "Its processes are not known.")
    private static let ended = Message("agent.processes-have-ended", "Its processes have ended.")
    private static let tooLarge = Message(
        "agent.too-many-processes",
        "It has more processes than Screen Time can pause."
    )

    /// Returns the way to freeze the app's cgroup, or `nil` if the app has no cgroup of its own.
    private func route(_ family: ProcessFamily) -> (CgroupFreezer, AppScope, CgroupFreezer.Route)? {
        guard let tree, let scope = family.scope, let inside = tree.members(scope.cgroup), !inside.isEmpty,
            family.members.keys.allSatisfy({ inside.contains($0) || Self.isGone($0) }),
            inside.allSatisfy({ family.members[$0] != nil || Self.isNewborn($0, family) })
        else { return nil }
        let freezer = CgroupFreezer(tree: tree, units: units)
        return freezer.route(scope).map { (freezer, scope, $0) }
    }

    /// Returns true for a process that has ended. Before it is reaped, it is in no cgroup or still in its own.
    private static func isGone(_ pid: Int32) -> Bool { ProcessView.entry(pid)?.hasEnded ?? true }

    /// Returns true for a process that the family started after the snapshot. Some apps start processes all the time.
    private static func isNewborn(_ pid: Int32, _ family: ProcessFamily) -> Bool {
        guard family.view[pid] == nil else { return isGone(pid) }
        var next = pid
        for _ in 0..<generationsMax {
            guard let entry = ProcessView.entry(next), !entry.hasEnded else { return true }
            if family.members[entry.parent] != nil { return true }
            guard family.view[entry.parent] == nil else { return false }
            next = entry.parent
        }
        return false
    }

    private static let generationsMax = 16

    // MARK: - Pausing

    package func pause(app: String, pids: [Int32]) -> PauseOutcome {
        let (verdict, family) = evaluate(app, pids)
        switch verdict {
        case .never(let reason), .impossible(let reason): return .refused(reason)
        case .allowed: break
        }
        stuck.remove(app)
        if let hold = pausedApps[app], let scope = hold.scope {
            if tree?.isFrozen(scope.cgroup) == true, scope == family.scope {
                return .paused(.freezer, processes: tree?.members(scope.cgroup)?.count ?? 0)
            }
            // Another program has thawed the cgroup, or the app is now in another one, so the pause starts again.
            thaw(app: app)
            if pausedApps[app] != nil { return .refused(Self.stillHeld) }
        }
        if pausedApps[app] == nil, let (freezer, scope, way) = route(family) {
            if let outcome = freeze(app, freezer: freezer, scope: scope, way: way) { return outcome }
        }
        return stop(app, pids)
    }

    /// Returns `nil` if the cgroup did not freeze in time and is thawed again.
    private func freeze(
        _ app: String,
        freezer: CgroupFreezer,
        scope: AppScope,
        way: CgroupFreezer.Route
    ) -> PauseOutcome? {
        if freezer.tree.isFreezing(scope.cgroup) {
            return .refused(
                Message("agent.frozen-by-other-program", "Another program has already frozen this app.")
            )
        }
        guard let identity = freezer.tree.identity(scope.cgroup) else { return nil }
        let entry = PauseEntry.freezer(
            app: app,
            boot: boot,
            cgroup: scope.cgroup,
            identity: identity,
            unit: way.unit
        )
        do throws(Problem) { try journal.append(entry) } catch { return .refused(error.text) }
        guard freezer.freeze(scope, way) else {
            guard freezer.tree.isFreezing(scope.cgroup) else {
                removeEntries([entry])
                return nil
            }
            // The cgroup could not be thawed, so its entry must stay.
            pausedApps[app] = PausedApp(entries: [entry], means: .freezer, scope: scope)
            thaw(app: app)
            return pausedApps[app] == nil ? nil : .refused(Self.stillHeld)
        }
        pausedApps[app] = PausedApp(entries: [entry], means: .freezer, scope: scope)
        if let refusal = confirm(app) { return refusal }
        return .paused(.freezer, processes: freezer.tree.members(scope.cgroup)?.count ?? 0)
    }

    private func stop(_ app: String, _ pids: [Int32]) -> PauseOutcome {
        var hold = pausedApps[app] ?? PausedApp(entries: [], means: .signal)
        // Another program may have continued some of them.
        for key in hold.keys where !SignalStopper.isStopped(key) { SignalStopper.signal(key, SIGSTOP) }
        let facts = facts()
        var entries = hold.entries
        do throws(Problem) {
            try SignalStopper.stop(held: &hold.keys) {
                ProcessFamily(app: app, pids: pids, view: .capture(), facts: facts, tree: tree)
            } write: { (keys) throws(Problem) in
                let entry = PauseEntry.signal(app: app, boot: boot, keys)
                try journal.append(entry)
                entries.append(entry)
            }
        } catch {
            hold.entries = entries
            pausedApps[app] = hold
            thaw(app: app)
            return .refused(error.text)
        }
        guard !hold.keys.isEmpty else {
            return .refused(
                Message("agent.stopped-by-other-program", "Another program has stopped it already.")
            )
        }
        hold.entries = entries
        pausedApps[app] = hold
        if let refusal = confirm(app) { return refusal }
        return .paused(.signal, processes: hold.keys.count)
    }

    /// Returns true while all processes of the pause are paused. Processes that have ended do not count.
    package func isPaused(app: String) -> Bool {
        guard let hold = pausedApps[app] else { return false }
        if let scope = hold.scope { return tree?.isFrozen(scope.cgroup) == true }
        return hold.keys.allSatisfy { key in
            guard let entry = ProcessView.entry(key.pid), entry.key == key, !entry.hasEnded else {
                return true
            }
            // A process that waits in the kernel stops when the wait ends.
            return entry.isStopped || entry.isWaiting
        }
    }

    /// Checks the journal again. `screentime thaw` may have resumed the app, and removed its line, immediately before the pause.
    private func confirm(_ app: String) -> PauseOutcome? {
        do throws(Problem) {
            try journal.ensure(pausedApps[app]?.entries ?? [])
            return nil
        } catch {
            thaw(app: app)
            return .refused(error.text)
        }
    }

    private static let stillHeld = Message(
        "agent.not-resumed-after-pause",
        """
        Screen Time could not resume it after its last pause. The app cannot be paused again until that \
        succeeds.
        """
    )

    // MARK: - Resuming

    package func thaw(app: String) {
        guard var hold = pausedApps.removeValue(forKey: app) else { return }
        stuck.remove(app)
        let thawing = AppThaw(journal: journal, tree: tree, units: units, boot: boot)
        var left: [PauseEntry] = []
        for entry in hold.entries.reversed() where !thawing.release(entry).isFree {
            left.insert(entry, at: 0)
        }
        removeEntries(hold.entries.filter { !left.contains($0) })
        guard !left.isEmpty else { return }
        // Processes that are still paused stay recorded.
        hold.entries = left
        hold.keys = left.flatMap(\.keys)
        pausedApps[app] = hold
        scheduleRetry(app)
    }

    private func scheduleRetry(_ app: String) {
        stuck.insert(app)
        guard !isWaiting else { return }
        isWaiting = true
        thread.after(milliseconds: retryMs) { [weak self] in self?.assumeIsolated { $0.retry() } }
    }

    private func retry() {
        isWaiting = false
        retryMs = min(retryMs * 2, Self.retryMsMax)
        for app in stuck.sorted() { thaw(app: app) }
        if stuck.isEmpty { retryMs = Self.retryMsMin }
    }

    /// Resumes all apps, including those that an earlier agent left paused.
    package func thawAll() { _ = thawEverything() }

    @discardableResult
    package func thawEverything() -> AppThaw.Report {
        let report = AppThaw(journal: journal, tree: tree, units: units, boot: boot).thawAll()
        (pausedApps, stuck) = ([:], [])
        let held = Set(report.apps.filter { !$0.isResumed }.map(\.app))
        guard !held.isEmpty else { return report }
        for entry in journal.entries() where entry.boot == boot && held.contains(entry.app) {
            var hold = pausedApps[entry.app] ?? PausedApp(entries: [], means: entry.means)
            hold.entries.append(entry)
            hold.keys += entry.keys
            hold.scope = entry.cgroup.flatMap { AppScope(cgroup: $0) } ?? hold.scope
            pausedApps[entry.app] = hold
        }
        for app in pausedApps.keys.sorted() { scheduleRetry(app) }
        return report
    }

    /// Removes entries. An entry that cannot be removed is harmless, because its processes run, and resuming them again has no
    /// effect.
    private func removeEntries(_ entries: [PauseEntry]) {
        if !entries.isEmpty { try? journal.retain { !entries.contains($0) } }
    }

    package func end(app: String, pids: [Int32]) -> Int {
        let (verdict, family) = evaluate(app, pids)
        guard case .allowed = verdict else { return 0 }
        // SIGTERM is sent during the pause, so that the processes handle it first when they continue.
        let count = family.parentsFirst.reduce(0) { $0 + (SignalStopper.signal($1.key, SIGTERM) ? 1 : 0) }
        thaw(app: app)
        return count
    }

    // MARK: - Calls and recordings

    package nonisolated func activeRecording(app: String, pids: [Int32]) async -> Message? {
        await recordingDetector.activeRecording(app: app, pids: pids, facts: facts(), tree: tree)
    }
}
