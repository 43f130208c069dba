import STBus
package import STContracts
import STDBus
package import STPlatform

/// The connection to the desktop's notification daemon. Connects, finds the daemon, and detects when it appears or disappears.
///
/// Runs on the service's own loop. D-Bus signals arrive on another thread, which forwards them to the loop and calls `ring`.
package actor NotificationDaemonLink {
    /// A report of the desktop about a notification on the screen.
    package struct Response: Sendable {
        package var screen: Int64
        package var owner: String
        /// The pressed action. `nil` if the notification was closed.
        package var action: String?
        /// The specification's number of the reason for closing. 0 if an action was pressed.
        package var reason: Int64 = 0
    }

    private static let retry = Backoff(firstMs: 500, limitMs: 60_000)
    private static let timeout = Duration.seconds(5)
    /// Upper bound on queued signals. Further signals are dropped, because a desktop that sends that many is broken.
    private static let responsesMax = 1_000

    private let thread: LoopThread
    private let log: Log
    private let refusal: Problem?
    private let onUpdate: @Sendable () -> Void
    private let environment = ProcessEnvironment.current()
    private let retryTimer: LoopTimer
    private var bus: DBusConnection?
    private var failures = 0
    /// Moment of `Stopwatch` before which no attempt is made.
    private var notBeforeMs: Int64 = 0
    package private(set) var daemon: NotificationDaemon?
    /// The state of the desktop to report. `nil` if nothing has changed.
    private var pendingState: NotifyDesktop?
    private var lastState: NotifyDesktop?
    private var responses: [Response] = []
    /// The number of the connection. Signals of older connections are ignored.
    private var generation = 0

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// `refusal`: the reason not to look for a desktop. `nil` if there may be one.
    package init(
        _ thread: LoopThread,
        log: Log,
        refusal: Problem? = nil,
        ring: @escaping @Sendable () -> Void
    ) {
        self.thread = thread
        self.log = log
        self.refusal = refusal
        self.onUpdate = ring
        retryTimer = LoopTimer(thread) { ring() }
    }

    /// Returns each change of the desktop's state once.
    package func takePendingState() -> NotifyDesktop? {
        guard let pendingState, pendingState != lastState else { return nil }
        lastState = pendingState
        self.pendingState = nil
        return pendingState
    }

    package func takeResponses() -> [Response] {
        defer { responses = [] }
        return responses
    }

    /// Connects and looks for the daemon, unless the delay after a failure has not passed yet.
    package func refresh() async {
        guard daemon == nil, Stopwatch.milliseconds() >= notBeforeMs else { return }
        do {
            if let refusal { throw refusal }
            let bus = try await connection()
            let found = try await NotificationDaemon.find(bus)
            guard self.bus === bus else { return }
            daemon = found
            failures = 0
            pendingState = NotifyDesktop(state: .ready, name: found.title)
            log.info("desktop_found", nil, fields: ["name": .text(found.title)])
        } catch {
            let problem = Self.describe(Problem(error))
            // A machine without a desktop is not an error.
            if failures == 0 { log.info("no_desktop", problem.message) }
            scheduleRetry()
            pendingState = NotifyDesktop(state: .absent, note: problem.text)
        }
    }

    private static func describe(_ problem: Problem) -> Problem {
        let absent: Set<String> = [
            "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
            "org.freedesktop.DBus.Error.Spawn.ChildExited", "org.freedesktop.DBus.Error.Spawn.ExecFailed",
            "org.freedesktop.DBus.Error.Spawn.ServiceNotFound",
        ]
        guard let name = problem.details["name"], absent.contains(name) else { return problem }
        return Problem(
            "notify.no_daemon",
            "No program on this desktop shows notifications (\(NotificationDaemon.name, "name") has no owner).",
            retryable: true
        )
    }

    private func scheduleRetry() {
        let delayMs = Self.retry.delayMs(attempt: failures, noise: 1)
        failures += 1
        notBeforeMs = Stopwatch.milliseconds() + delayMs
        retryTimer.fire(afterMs: delayMs)
    }

    /// Discards a daemon that did not accept a notification, and schedules a new search.
    package func daemonDidVanish(_ lost: NotificationDaemon) {
        guard daemon?.owner == lost.owner else { return }
        daemon = nil
        scheduleRetry()
    }

    package func close() {
        bus?.close()
        bus = nil
        daemon = nil
    }

    // MARK: - The connection

    private func connection() async throws -> DBusConnection {
        if let bus { return bus }
        generation += 1
        let generation = generation
        let thread = thread
        let made = try DBusConnection(address: try DBusAddress.session(environment)) { [weak self] problem in
            thread.post { [weak self] in self?.assumeIsolated { $0.connectionDidEnd(generation, problem) } }
        }
        bus = made
        do {
            try await listen(made, generation)
        } catch {
            if bus === made { bus = nil }
            // It closes in the background, because others need this thread.
            made.closeWithoutFlush()
            throw error
        }
        return made
    }

    private func listen(_ made: DBusConnection, _ generation: Int) async throws {
        let thread = thread
        let name = NotificationDaemon.name
        // By interface and path, because a restarted daemon has a different unique name on the bus.
        try await made.match(
            "type='signal',interface='\(name)',path='\(NotificationDaemon.path)'",
            withinMs: Self.timeout.ms
        ) { [weak self] signal in
            thread.post { [weak self] in self?.assumeIsolated { $0.receive(signal, generation) } }
        }
        try await made.match(
            "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(name)'",
            withinMs: Self.timeout.ms
        ) { [weak self] _ in
            thread.post { [weak self] in self?.assumeIsolated { $0.ownerDidChange(generation) } }
        }
    }

    private func connectionDidEnd(_ generation: Int, _ problem: Problem) {
        guard generation == self.generation else { return }
        if daemon != nil { log.warning("desktop_gone", problem.message) }
        let old = bus
        bus = nil
        daemon = nil
        pendingState = NotifyDesktop(state: .absent, note: problem.text)
        scheduleRetry()
        onUpdate()
        old?.closeWithoutFlush()
    }

    private func ownerDidChange(_ generation: Int) {
        guard generation == self.generation else { return }
        daemon = nil
        // Check immediately whether a new daemon has appeared or the old one has gone.
        failures = 0
        notBeforeMs = 0
        onUpdate()
    }

    private func receive(_ signal: DBusMessage, _ generation: Int) {
        guard generation == self.generation, let daemon, signal.sender == daemon.uniqueName,
            responses.count < Self.responsesMax, let screen = signal.arguments.first?.number,
            signal.arguments.count > 1
        else { return }
        switch signal.member {
        case "ActionInvoked":
            guard let action = signal.arguments[1].text else { return }
            responses.append(Response(screen: screen, owner: daemon.owner, action: action))
        case "NotificationClosed":
            // 4 is the specification's "for no given reason".
            let reason = signal.arguments[1].number ?? 4
            responses.append(Response(screen: screen, owner: daemon.owner, reason: reason))
        default: return
        }
        onUpdate()
    }
}
