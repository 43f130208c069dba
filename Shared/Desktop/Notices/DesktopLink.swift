import STBus
package import STContracts
import STDBus
package import STPlatform

/// The way to the desktop: connects, finds who shows notifications, and notices when they come and go.
///
/// Lives on the service's own loop: signals of the bus come on another thread, are only noted here, and ring the bell.
package actor DesktopLink {
    /// What a desktop said of something on its screen.
    package struct Heard: Sendable {
        package var screen: Int64
        package var owner: String
        /// What was pressed; nil where it was closed.
        package var action: String?
        /// The number of the reason in the specification; 0 where it was pressed.
        package var reason: Int64 = 0
    }

    private static let retry = Backoff(firstMs: 500, limitMs: 60_000)
    private static let deadlineMs: Int64 = 5_000
    /// Further signals are dropped: a desktop that sends that many is broken.
    private static let heardMax = 1_000

    private let thread: LoopThread
    private let log: Log
    private let refusal: Problem?
    private let ring: @Sendable () -> Void
    private let environment = ProcessEnvironment.current()
    private let alarm: Alarm
    private var bus: DBusConnection?
    private var failures = 0
    /// Real time before which nothing is tried.
    private var notBeforeMs: Int64 = 0
    package private(set) var daemon: NotificationDaemon?
    /// What to report about the desktop; nil when nothing is new.
    private var news: NotifyDesktop?
    private var told: NotifyDesktop?
    private var heard: [Heard] = []
    /// The number of the connection; signals of an older one do not count.
    private var generation = 0

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// `refusal`: why there is no desktop to look for here; nil where there may be one.
    package init(
        _ thread: LoopThread,
        _ log: Log,
        refusal: Problem? = nil,
        _ ring: @escaping @Sendable () -> Void
    ) {
        self.thread = thread
        self.log = log
        self.refusal = refusal
        self.ring = ring
        alarm = Alarm(thread) { ring() }
    }

    /// What is new about the desktop, once.
    package func takeNews() -> NotifyDesktop? {
        guard let news, news != told else { return nil }
        told = news
        self.news = nil
        return news
    }

    package func takeHeard() -> [Heard] {
        defer { heard = [] }
        return heard
    }

    /// Connects and looks for the daemon when it is time to.
    package func look() async {
        guard daemon == nil, Stopwatch.milliseconds() >= notBeforeMs else { return }
        do {
            if let refusal { throw refusal }
            let bus = try await connection()
            let found = try await NotificationDaemon.find(bus)
            guard self.bus === bus else { return }
            daemon = found
            failures = 0
            news = NotifyDesktop(state: .ready, name: found.title)
            log.info("desktop_found", nil, ["name": .text(found.title)])
        } catch {
            let problem = Self.words(Problem(error))
            // A machine without a desktop is in order.
            if failures == 0 { log.info("no_desktop", problem.message) }
            later()
            news = NotifyDesktop(state: .absent, note: problem.text)
        }
    }

    private static func words(_ problem: Problem) -> Problem {
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

    private func later() {
        let delayMs = Self.retry.delayMs(attempt: failures, noise: 1)
        failures += 1
        notBeforeMs = Stopwatch.milliseconds() + delayMs
        alarm.ring(afterMs: delayMs)
    }

    /// The daemon did not take a notification: looks for it anew.
    package func lost(_ lost: NotificationDaemon) {
        guard daemon?.owner == lost.owner else { return }
        daemon = nil
        later()
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
            thread.post { [weak self] in self?.assumeIsolated { $0.ended(generation, problem) } }
        }
        bus = made
        do {
            try await listen(made, generation)
        } catch {
            if bus === made { bus = nil }
            // It closes in the background, because others need this thread.
            made.drop()
            throw error
        }
        return made
    }

    private func listen(_ made: DBusConnection, _ generation: Int) async throws {
        let thread = thread
        let name = NotificationDaemon.name
        // By interface and path, because a daemon that came back has a new name on the bus.
        try await made.match(
            "type='signal',interface='\(name)',path='\(NotificationDaemon.path)'",
            withinMs: Self.deadlineMs
        ) { [weak self] signal in
            thread.post { [weak self] in self?.assumeIsolated { $0.hear(signal, generation) } }
        }
        try await made.match(
            "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(name)'",
            withinMs: Self.deadlineMs
        ) { [weak self] _ in
            thread.post { [weak self] in self?.assumeIsolated { $0.ownerChanged(generation) } }
        }
    }

    private func ended(_ generation: Int, _ problem: Problem) {
        guard generation == self.generation else { return }
        if daemon != nil { log.warning("desktop_gone", problem.message) }
        let old = bus
        bus = nil
        daemon = nil
        news = NotifyDesktop(state: .absent, note: problem.text)
        later()
        ring()
        old?.drop()
    }

    private func ownerChanged(_ generation: Int) {
        guard generation == self.generation else { return }
        daemon = nil
        // Look at once whether a new daemon is there or the old one has gone.
        failures = 0
        notBeforeMs = 0
        ring()
    }

    private func hear(_ signal: DBusMessage, _ generation: Int) {
        guard generation == self.generation, let daemon, signal.sender == daemon.uniqueName,
            heard.count < Self.heardMax, let screen = signal.arguments.first?.number,
            signal.arguments.count > 1
        else { return }
        switch signal.member {
        case "ActionInvoked":
            guard let action = signal.arguments[1].text else { return }
            heard.append(Heard(screen: screen, owner: daemon.owner, action: action))
        case "NotificationClosed":
            // 4 is the specification's "for no given reason".
            let reason = signal.arguments[1].number ?? 4
            heard.append(Heard(screen: screen, owner: daemon.owner, reason: reason))
        default: return
        }
        ring()
    }
}
