import STActivityCore
import STBus
import STContracts
import STPlatform
import STServiceKit
import STZeroMQ

/// Updates the activities and the rules when an event is due, and when a person sets the clock or the zone.
///
/// Nothing polls while nothing is watched.
struct ScheduleClock {
    /// The time between two checks of the zone, because the kernel does not announce a new one.
    private static let zoneEveryMs: Int64 = 60_000
    private static let retry = Backoff(firstMs: 200, limitMs: 5_000)

    private let host: ServiceHost<ActivityState>
    private let surroundings: Surroundings
    private let alarm: DueAlarm
    private let look: Alarm
    private let isSet: Flag
    private let desktop: DesktopLook
    private let notices: RuleNotices
    private let mustLook: Flag

    init(_ host: ServiceHost<ActivityState>, _ surroundings: Surroundings) throws {
        self.host = host
        self.surroundings = surroundings
        desktop = DesktopLook(host, surroundings)
        notices = try RuleNotices(host, surroundings)
        let bell = host.bell
        let isSet = Flag()
        self.isSet = isSet
        alarm = try DueAlarm(surroundings.loop.thread, surroundings.time) {
            isSet.raise()
            bell.ring()
        } _: {
            bell.ring()
        }
        let mustLook = Flag()
        self.mustLook = mustLook
        look = Alarm(surroundings.loop.thread) {
            mustLook.raise()
            bell.ring()
        }
    }

    func run() async throws {
        let configuration = surroundings.configuration.ownValues
        try await host.step("history.started") { try HistorySteps.started(configuration, &$0, $1, $2) }
        host.bell.ring()
        var hasStarted = false
        var failures = 0
        for await _ in host.bell.rings {
            do {
                // Process due events first, because people wait for their effects.
                if !hasStarted { try await host.step("rule.started") { try RuleSteps.started(&$0, $1, $2) } }
                hasStarted = true
                try await tellClock()
                try await turn()
                failures = 0
            } catch {
                if failures == 0 { surroundings.log.problem("schedule_not_kept", Problem(error)) }
                // The cause of this wake-up is already cleared, so request the failed step again.
                isSet.raise()
                failures += 1
                look.ring(afterMs: Self.retry.delayMs(attempt: failures))
            }
            await desktop.look()
            await notices.look()
        }
        await notices.stop()
        try await host.step("history.stopped") { try HistorySteps.stopped(&$0, $1, $2) }
    }

    /// Adds each manual change of the clock, and each return to the synchronised clock, to the log and the history.
    private func tellClock() async throws {
        let asideMs = surroundings.time.asideMs
        guard try await host.state.history.wantsClock(asideMs: asideMs) else { return }
        try await host.step("history.clock") { try HistorySteps.clock(asideMs: asideMs, &$0, $2) }
        guard asideMs != 0 else { return surroundings.log.info("clock_followed") }
        surroundings.log.warning(
            "clock_set",
            "The clock of this computer was set and is not synchronised; time goes on as it passes.",
            ["aside_ms": .number(asideMs)]
        )
    }

    private func turn() async throws {
        var due = try await host.state.nextDue(bootID: surroundings.time.bootID)
        guard due.zone != nil || due.moments != DueMoments() else {
            alarm.set()
            return
        }
        let isDue = due.moments.isReached(at: surroundings.time.now())
        let hasMoved = mustLook.lower() && due.zone != nil && due.zone != surroundings.time.zone()
        if isSet.lower() || isDue || hasMoved {
            let ticked = try await host.step("activity.tick") { try ActivityRules.tick(&$0, $1, $2) }
            for change in ticked.dropped {
                surroundings.log.problem("rule_change_dropped", change.problem, ["rule": .text(change.rule)])
            }
            due = ticked.due
        }
        alarm.set(wallMs: due.moments.wallMs, bootMs: due.moments.bootMs)
        if surroundings.time.virtual == nil { look.ring(afterMs: Self.zoneEveryMs) }
    }
}
