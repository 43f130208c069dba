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
    private static let zoneCheckInterval = Duration.seconds(60)
    private static let retry = Backoff(firstMs: 200, limitMs: 5_000)

    private let host: ServiceHost<ActivityState>
    private let surroundings: ServiceEnvironment
    private let alarm: DeadlineTimer
    private let zoneTimer: LoopTimer
    private let wasSet: Flag
    private let desktop: DesktopCatalogueRefresher
    private let notices: RuleNoticeSender
    private let needsZoneCheck: Flag

    init(_ host: ServiceHost<ActivityState>, _ surroundings: ServiceEnvironment) throws {
        self.host = host
        self.surroundings = surroundings
        desktop = DesktopCatalogueRefresher(host, surroundings)
        notices = try RuleNoticeSender(host, surroundings)
        let bell = host.changeSignal
        let isSet = Flag()
        self.wasSet = isSet
        alarm = try DeadlineTimer(surroundings.loop.thread, time: surroundings.time) {
            isSet.mark()
            bell.signal()
        } ring: {
            bell.signal()
        }
        let mustLook = Flag()
        self.needsZoneCheck = mustLook
        zoneTimer = LoopTimer(surroundings.loop.thread) {
            mustLook.mark()
            bell.signal()
        }
    }

    func run() async throws {
        let configuration = surroundings.configuration.ownValues
        try await host.step("history.started") {
            try HistorySteps.started(configuration, state: &$0, context: $1, change: $2)
        }
        host.changeSignal.signal()
        var hasStarted = false
        var failures = 0
        for await _ in host.changeSignal.signals {
            do {
                // Process due events first, because people wait for their effects.
                if !hasStarted {
                    try await host.step("rule.started") {
                        try RuleSteps.started(&$0, context: $1, change: $2)
                    }
                }
                hasStarted = true
                try await recordClockChange()
                try await runDue()
                failures = 0
            } catch {
                if failures == 0 { surroundings.log.problem("schedule_not_kept", Problem(error)) }
                // The cause of this wake-up is already cleared, so request the failed step again.
                wasSet.mark()
                failures += 1
                zoneTimer.fire(afterMs: Self.retry.delayMs(attempt: failures))
            }
            await desktop.refreshIfDue()
            await notices.refresh()
        }
        await notices.stop()
        try await host.step("history.stopped") { try HistorySteps.stopped(&$0, context: $1, change: $2) }
    }

    /// Adds each manual change of the clock, and each return to the synchronised clock, to the log and the history.
    private func recordClockChange() async throws {
        let aside = Duration.milliseconds(surroundings.time.clockOffsetMs)
        guard try await host.state.history.needsClockLine(aside: aside) else { return }
        try await host.step("history.clock") { try HistorySteps.clock(aside: aside, &$0, $2) }
        guard aside != .zero else { return surroundings.log.info("clock_followed") }
        surroundings.log.warning(
            "clock_set",
            "The clock of this computer was set and is not synchronised. Time continues from the last known time.",
            fields: ["aside_ms": .number(aside.ms)]
        )
    }

    private func runDue() async throws {
        var due = try await host.state.nextDue(bootID: surroundings.time.bootID)
        guard due.zone != nil || due.moments != Deadlines() else {
            alarm.set()
            return
        }
        let isDue = due.moments.isDue(at: surroundings.time.now())
        let hasMoved = needsZoneCheck.clear() && due.zone != nil && due.zone != surroundings.time.zone()
        if wasSet.clear() || isDue || hasMoved {
            let ticked = try await host.step("activity.tick") {
                try ActivityRules.tick(&$0, context: $1, change: $2)
            }
            for change in ticked.dropped {
                surroundings.log.problem(
                    "rule_change_dropped",
                    change.problem,
                    fields: ["rule": .text(change.rule)]
                )
            }
            due = ticked.due
        }
        alarm.set(wallMs: due.moments.wallMs, bootMs: due.moments.bootMs)
        if surroundings.time.virtual == nil { zoneTimer.fire(afterMs: Self.zoneCheckInterval.ms) }
    }
}
