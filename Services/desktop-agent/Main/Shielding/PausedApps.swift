import STDesktop
import STDesktopCore
import STPausing
import STPlatform
import STServiceKit
import STZeroMQ

/// Executes orders on the processes of apps, for each app in the order of the calls. While any app is paused, it checks that the
/// display answers and that paused apps stay paused.
///
/// A paused app with exclusive use of the display blocks every other app, and this process. Resuming it needs no display. While
/// nothing is paused, no timer runs. Runs on the bus thread.
actor PausedApps {
    private static let responseTimeout: Duration = .milliseconds(1_500)
    private static let checkInterval: Duration = .seconds(5)
    /// Upper bound on the open questions to the display. More would not help, because a single one shows that it does not answer.
    private static let pendingQueriesMax = 8

    private enum Work {
        case pause(pids: [Int32])
        case thaw
        case end(pids: [Int32])
    }

    private let surroundings: ServiceEnvironment
    private let pausing: any AppPausing
    /// Returns once the display has answered.
    private let screenAnswers: @Sendable () async -> Void
    private var onInput: (ShieldInput) -> Void = { _ in }
    private var waiting: [String: [Work]] = [:]
    /// The paused apps, according to the director.
    private var paused: [String] = []
    /// Questions to the display that have no answer yet.
    private var pendingQueries: Set<Int64> = []
    private var lastQuery: Int64 = 0
    private var timer: UInt64?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(
        _ surroundings: ServiceEnvironment,
        _ pausing: any AppPausing,
        screenAnswers: @escaping @Sendable () async -> Void
    ) {
        self.surroundings = surroundings
        self.pausing = pausing
        self.screenAnswers = screenAnswers
    }

    /// Resumes the apps of an earlier agent. `hear` receives the result of each order, on the bus thread.
    func start(_ hear: @escaping @Sendable (ShieldInput) -> Void) async {
        self.onInput = hear
        await pausing.thawAll()
    }

    func thawAll() async { await pausing.thawAll() }

    // MARK: - Orders

    func requestVerdict(_ app: String, _ pids: [Int32]) {
        begin { $0.onInput(.verdict(app: app, await $0.pausing.verdict(app: app, pids: pids))) }
    }

    func checkForCall(_ app: String, _ pids: [Int32]) {
        begin { $0.onInput(.underway(app: app, await $0.pausing.activeRecording(app: app, pids: pids))) }
    }

    func pause(_ app: String, _ pids: [Int32]) { enqueue(.pause(pids: pids), app) }

    func thaw(_ app: String) { enqueue(.thaw, app) }

    func end(_ app: String, _ pids: [Int32]) { enqueue(.end(pids: pids), app) }

    private func enqueue(_ work: Work, _ app: String) {
        let isFirst = waiting[app] == nil
        waiting[app, default: []].append(work)
        if isFirst { begin { await $0.processQueue(app) } }
    }

    private func processQueue(_ app: String) async {
        while let work = waiting[app]?.first {
            switch work {
            case .pause(let pids): onInput(.paused(app: app, await pausing.pause(app: app, pids: pids)))
            case .thaw:
                await pausing.thaw(app: app)
                onInput(.thawed(app: app))
            case .end(let pids): onInput(.ended(app: app, processes: await pausing.end(app: app, pids: pids)))
            }
            waiting[app]?.removeFirst()
        }
        waiting[app] = nil
    }

    private func begin(_ work: @escaping @Sendable (isolated PausedApps) async -> Void) {
        Task(executorPreference: surroundings.loop.thread, priority: .medium) { await work(self) }
    }

    // MARK: - Checks of paused apps

    /// Sets the paused apps. `isNew` is true if one of them was paused just now.
    func watch(_ paused: [String], isNew: Bool) {
        self.paused = paused
        let thread = surroundings.loop.thread
        guard !paused.isEmpty else {
            if let timer { thread.cancelTimer(timer) }
            return timer = nil
        }
        if isNew { pingScreen() }
        guard timer == nil else { return }
        timer = thread.after(milliseconds: Self.checkInterval.ms) { [weak self] in
            self?.assumeIsolated { $0.checkPausedApps() }
        }
    }

    private func checkPausedApps() {
        timer = nil
        let apps = paused
        guard !apps.isEmpty else { return }
        pingScreen()
        begin { held in
            for app in apps where await !held.pausing.isPaused(app: app) {
                held.onInput(.continued(app: app))
            }
        }
        watch(apps, isNew: false)
    }

    private func pingScreen() {
        guard pendingQueries.count < Self.pendingQueriesMax else { return }
        lastQuery += 1
        let question = lastQuery
        pendingQueries.insert(question)
        begin { held in
            await held.screenAnswers()
            held.pendingQueries.remove(question)
        }
        surroundings.loop.thread.after(milliseconds: Self.responseTimeout.ms) { [weak self] in
            self?.assumeIsolated { $0.handleTimeout(question) }
        }
    }

    private func handleTimeout(_ question: Int64) {
        guard pendingQueries.contains(question), !paused.isEmpty else { return }
        surroundings.log.warning(
            "screen_silent",
            "The display does not answer, so every paused app runs again.",
            fields: ["apps": .text(paused.joined(separator: " "))]
        )
        onInput(.screenTimedOut)
    }
}
