import STActivityCore
import STContracts
import STDesktop
import STDomain
import STPlatform
import STServiceKit
import STZeroMQ

/// Reads the desktop entries of this computer. It does so at the start, when the kernel reports a change, and when an unknown app
/// is in the foreground.
actor DesktopCatalogueRefresher {
    /// The shortest real time between two readings. Programs are not installed more often.
    private static let interval = Duration.seconds(10)

    private let host: ServiceHost<ActivityState>
    private let surroundings: ServiceEnvironment
    private let folders: [String]
    private let retryTimer: LoopTimer
    /// The monotonic time of the last reading.
    private var last: Duration?
    private var watch: CatalogueWatch?
    /// True if something was installed or removed since the last reading.
    private var isStale = false
    private var work: Task<Void, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ host: ServiceHost<ActivityState>, _ surroundings: ServiceEnvironment) {
        self.host = host
        self.surroundings = surroundings
        folders = AppEntryFolders.list(
            surroundings.configuration.value(.desktopFolders),
            isVirtual: surroundings.time.virtual != nil,
            environment: ProcessEnvironment.current()
        )
        retryTimer = LoopTimer(surroundings.loop.thread) { [bell = host.changeSignal] in bell.signal() }
    }

    /// Starts a reading if one is due, and returns immediately.
    func refreshIfDue() {
        guard !folders.isEmpty, work == nil else { return }
        watchFolders()
        surroundings.hold.begin()
        work = Task(executorPreference: surroundings.loop.thread, priority: .low) {
            await self.perform()
        }
    }

    private func watchFolders() {
        guard watch == nil else { return }
        // Without a watch, the folders are read when a new app is in the foreground for the first time.
        watch = try? CatalogueWatch(surroundings.loop.thread, folders: folders) { [weak self] in
            self?.assumeIsolated {
                $0.isStale = true
                $0.refreshIfDue()
            }
        }
    }

    private func perform() async {
        await refresh()
        work = nil
        surroundings.hold.end()
        // A program installed during the reading may be missing from it.
        if isStale { retryTimer.fire(afterMs: Self.interval.ms) }
    }

    private func refresh() async {
        do {
            let isDue = try await host.state.categories.needsRefresh
            guard last == nil || isDue || isStale else { return }
            let now = Duration.milliseconds(Stopwatch.milliseconds())
            if let last, now - last < Self.interval {
                retryTimer.fire(afterMs: (Self.interval - (now - last)).ms)
                return
            }
            last = now
            isStale = false
            // A slow disk must not keep the sockets waiting.
            let folders = folders
            let (reader, entries) = await Task.detached(priority: .low) {
                let reader = AppEntryReader(folders)
                let environment = ProcessEnvironment.current()
                return (reader, reader.withPictures(folders, environment: environment))
            }.value
            let apps = DesktopApps(entries)
            try await host.step("category.desktop.take") {
                try CategoryPublisher.updateApps(apps, state: &$0, change: $2)
            }
            surroundings.log.info(
                "desktop_read",
                "The desktop entries of this computer were read.",
                fields: [
                    "programs": .number(Int64(reader.entries.count)),
                    "broken": .number(Int64(reader.unreadableCount)),
                    "left_out": .number(Int64(reader.omittedCount)),
                ]
            )
        } catch {
            let problem = Problem(error)
            surroundings.log.problem("desktop_not_read", problem)
            last = .milliseconds(Stopwatch.milliseconds())
            retryTimer.fire(afterMs: Self.interval.ms)
        }
    }
}
