import STDesktop
import STDesktopCore
import STPlatform
import STScreen
import STServiceKit
import STZeroMQ

/// The presence of a person, from keys and pointers and from the session: locks, sleep, other users, films.
///
/// All functions must be called on the bus thread.
actor SessionPresence {
    private let thread: LoopThread
    private let now: @Sendable () -> BootTime
    private var machine: PresenceMachine
    private var onReport: (@Sendable (PresenceReport) -> Void)?
    private var last: PresenceState?
    private var timer: UInt64?
    private var foregroundApp: FrontApp?

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ surroundings: ServiceEnvironment) {
        thread = surroundings.loop.thread
        now = { [time = surroundings.time] in time.now().boot }
        let configuration = surroundings.configuration
        machine = PresenceMachine(
            idleAfter: .milliseconds(configuration.number(.desktopIdle)),
            watching: .milliseconds(configuration.number(.desktopWatching))
        )
    }

    /// Starts the reports. `told` is called at every change, in order, until `stop`.
    nonisolated func start(_ told: @escaping @Sendable (PresenceReport) -> Void) {
        assumeIsolated { $0.onReport = told }
    }

    nonisolated func stop() {
        assumeIsolated { presence in
            presence.onReport = nil
            if let timer = presence.timer { presence.thread.cancelTimer(timer) }
        }
    }

    /// Handles an event of the display, including keys and pointers.
    nonisolated func apply(_ event: DesktopEvent) {
        switch event {
        case .ready: enqueue(.screen(isKnown: true))
        case .lost: enqueue(.screen(isKnown: false))
        case .quiet(let since): enqueue(.quiet(since: BootTime(ms: since)))
        case .idle(let since): enqueue(.idle(since: BootTime(ms: since)))
        case .touched(let at): enqueue(.touched(at: BootTime(ms: at)))
        case .window, .windowGone, .focus, .outputs, .pane, .chosen: break
        }
    }

    /// Sets the foreground app. A film or call in it counts as use.
    nonisolated func setForegroundApp(_ app: FrontApp?) {
        let isNew = assumeIsolated { presence in
            defer { presence.foregroundApp = app }
            return presence.foregroundApp != app
        }
        if isNew { enqueue(.front(app)) }
    }

    nonisolated func handle(_ event: SessionEvent) { enqueue(.session(event)) }

    private nonisolated func enqueue(_ input: PresenceInput) { assumeIsolated { $0.apply(input) } }

    private func apply(_ input: PresenceInput) {
        machine.apply(input, now: now())
        let state = machine.state
        if state != last {
            last = state
            onReport?(
                PresenceReport(
                    state.presence,
                    since: state.since,
                    lastInput: state.lastInput,
                    inputGoesOn: state.isInputContinuing,
                    isBusy: state.isBusy
                )
            )
        }
        arm()
    }

    private func arm() {
        if let timer { thread.cancelTimer(timer) }
        timer = nil
        guard let due = machine.due else { return }
        timer = thread.after(milliseconds: max(.zero, due - now()).ms) { [weak self] in
            self?.assumeIsolated { presence in
                presence.timer = nil
                presence.apply(.timeElapsed)
            }
        }
    }
}

extension FrontApp {
    /// Creates the value from the windows that the app has on the screen.
    init(_ app: String, in scene: DesktopModel) {
        let windows = scene.windows(of: app).map(\.window)
        self.init(
            id: app,
            pids: Set(windows.compactMap { $0.pid ?? $0.claimedPid }),
            isFullscreen: windows.contains { $0.id == scene.focusedWindow && $0.isFullscreen },
            others: Set(
                scene.windows.values.compactMap { seen in
                    seen.app?.id == app || seen.app == nil ? nil : seen.window.pid
                }
            )
        )
    }
}
