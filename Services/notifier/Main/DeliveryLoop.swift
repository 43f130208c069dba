import STBus
import STContracts
import STNotices
import STNotifierCore
import STPlatform
import STServiceKit
import STZeroMQ

/// Shows notifications that are due, one after the other. Each is saved before it is sent.
actor DeliveryLoop {
    /// Interval between checks of the time zone, because the kernel does not announce a new one.
    private static let zoneCheckInterval = Duration.seconds(60)
    private static let retry = Backoff(firstMs: 1_000, limitMs: 60_000)

    private let host: ServiceHost<NotifierState>
    private let surroundings: ServiceEnvironment
    private let desktopLink: NotificationDaemonLink?
    private let client: BusClient
    private let dialog: RequestDialog
    private let dueTimer: DeadlineTimer
    private let retryTimer: LoopTimer
    private let mustTick: Flag
    private var zone = ""
    private var isFirst = true
    /// The real time at which each refused notification is tried again, by its number.
    private var delayed: [Int64: Int64] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ host: ServiceHost<NotifierState>, _ surroundings: ServiceEnvironment, withDesktop: Bool) throws {
        self.host = host
        self.surroundings = surroundings
        let bell = host.changeSignal
        client = surroundings.makeClient()
        dialog = RequestDialog(client, thread: surroundings.loop.thread, log: surroundings.log) {
            posted,
            problem in
            _ = try? await host.step("notify.request_again") {
                try RequestNotifications.repost(posted, problem: problem, state: $0, change: $2)
            }
        }
        let mustTick = Flag()
        self.mustTick = mustTick
        let isProtected = surroundings.directories.run == Directories.protected.run
        desktopLink =
            withDesktop
            ? NotificationDaemonLink(
                surroundings.loop.thread,
                log: surroundings.log,
                refusal: isProtected ? Self.belongsToNoScreen : nil
            ) { bell.signal() } : nil
        dueTimer = try DeadlineTimer(surroundings.loop.thread, time: surroundings.time) {
            mustTick.mark()
            bell.signal()
        } ring: {
            mustTick.mark()
            bell.signal()
        }
        retryTimer = LoopTimer(surroundings.loop.thread) { bell.signal() }
    }

    func run() async throws {
        host.changeSignal.signal()
        var failures = 0
        for await _ in host.changeSignal.signals {
            do {
                try await runDue()
                failures = 0
            } catch {
                let problem = Problem(error)
                if failures == 0 { surroundings.log.problem("not_told", problem) }
                failures += 1
                retryTimer.fire(afterMs: Self.retry.delayMs(attempt: failures))
            }
        }
        await desktopLink?.close()
        await dialog.close()
        await client.close()
    }

    private static let belongsToNoScreen = Problem(
        "notify.no_session",
        "On a protected computer, desktop-agent shows notifications in each person's session."
    )

    private func runDue() async throws {
        try await tick()
        await desktopLink?.refresh()
        try await reportDesktop()
        while !Task.isCancelled {
            try await handleSignals()
            guard try await step() else { return }
        }
    }

    // MARK: - Time

    private func tick() async throws {
        let now = surroundings.time.zone()
        if isFirst || mustTick.clear() || now != zone {
            zone = now
            try await host.step("notify.tick") { try NotifySteps.tick(&$0, context: $1, change: $2) }
            isFirst = false
        }
    }

    private func set(_ moments: NotifySteps.Due) {
        dueTimer.set(wallMs: moments.wall?.ms, bootMs: moments.boot?.ms)
        if moments.zone != nil, surroundings.time.virtual == nil {
            retryTimer.fire(afterMs: Self.zoneCheckInterval.ms)
        }
    }

    // MARK: - The desktop

    private func reportDesktop() async throws {
        guard let desktopLink, let desktop = await desktopLink.takePendingState() else { return }
        let owner = await desktopLink.daemon?.owner
        try await host.step("notify.desktop_is") {
            try NotifySteps.updateDesktop(desktop, owner: owner, state: &$0, change: $2)
        }
    }

    private func handleSignals() async throws {
        for heard in await desktopLink?.takeResponses() ?? [] {
            let event = NotifySteps.DesktopSignal(
                screen: heard.screen,
                owner: heard.owner,
                heard.action.map { .pressed(action: $0) } ?? .closed(reason: heard.reason)
            )
            let pressed = try await host.step("notify.heard") {
                try NotifySteps.handle(event, state: &$0, change: $2)
            }
            // Typing takes time, so the dialog runs in a task and the loop continues with other notifications.
            if let pressed, let action = pressed.answer?.action {
                Task { await dialog.handleAction(action, of: pressed) }
            }
        }
    }

    /// Performs the next step. Returns false if there is none.
    private func step() async throws -> Bool {
        let daemon = await desktopLink?.daemon
        let nowMs = Stopwatch.milliseconds()
        delayed = delayed.filter { $0.value > nowMs }
        let (except, owner) = (Set(delayed.keys), daemon?.owner)
        let next = try await host.readStore("notify.next") {
            try NotifySteps.next(except: except, owner: owner, $1, $2)
        }
        set(next.due)
        if let firstMs = delayed.values.min() { retryTimer.fire(afterMs: firstMs - nowMs) }
        guard let daemon else { return false }
        if let screen = next.closing {
            // This fails harmlessly if the notification is already gone.
            _ = try? await daemon.close(screen)
            try await host.step("notify.closing_done") { [owner = daemon.owner] in
                try NotifySteps.closed(screen, owner: owner, $2)
            }
            return true
        }
        guard let number = next.number else { return false }
        try await send(number, by: daemon)
        return true
    }

    private func send(_ number: Int64, by daemon: NotificationDaemon) async throws {
        let owner = daemon.owner
        let begun = try await host.step("notify.begin") {
            try NotifySteps.begin(number, owner: owner, state: &$0, change: $2)
        }
        guard let begun else { return }
        let posted = begun.notification
        var finish = NotifySteps.SendResult(number: number, owner: owner, .shown)
        do {
            finish.screen = try await daemon.show(posted, replacing: begun.replaces)
        } catch {
            let problem = Problem(error)
            classify(problem, posted: posted, daemon: daemon, finish: &finish)
            surroundings.log.problem("not_shown", problem, fields: ["number": .number(number)])
            if finish.outcome != .refused { await desktopLink?.daemonDidVanish(daemon) }
        }
        try await record(finish)
    }

    private func classify(
        _ problem: Problem,
        posted: PostedNotification,
        daemon: NotificationDaemon,
        finish: inout NotifySteps.SendResult
    ) {
        let gone: Set<String> = [
            "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
        ]
        let attempts = posted.attempts ?? 1
        switch problem.code {
        case "dbus.not_connected", "dbus.busy":
            finish.outcome = .retry
            finish.note = NotifySteps.waitingNote(problem.text)
        case "dbus.refused" where gone.contains(problem.details["name"] ?? ""):
            finish.outcome = .retry
            finish.note = NotifySteps.waitingNote(
                Message("notification.program-has-ended", "\(daemon.title, "program") has ended.")
            )
        case "dbus.refused", "dbus.bad_value":
            finish.outcome = .refused
            finish.note = Message(
                "notification.program-rejected-it",
                "\(daemon.title, "program") rejected the notification: \(problem.text, "reason")"
            )
        default:
            finish.outcome = .uncertain
            finish.note = Message(
                "notification.program-did-not-confirm",
                "\(daemon.title, "program") did not confirm that it shows the notification: \(problem.text, "reason")"
            )
        }
        guard finish.outcome == .refused else { return }
        delayed[posted.number] = Stopwatch.milliseconds() + Self.retry.delayMs(attempt: Int(attempts))
    }

    /// Saves the result of sending before anything else is sent, so that a full disk does not make it uncertain.
    private func record(_ finish: NotifySteps.SendResult) async throws {
        var failures = 0
        while true {
            do {
                try await host.step("notify.finish") {
                    try NotifySteps.finish(finish, state: &$0, change: $2)
                }
                return
            } catch let problem as Problem where problem.retryable && !Task.isCancelled {
                if failures == 0 { surroundings.log.problem("not_written_down", problem) }
                failures += 1
                try await Task.sleep(for: .milliseconds(Self.retry.delayMs(attempt: failures)))
            }
        }
    }
}
