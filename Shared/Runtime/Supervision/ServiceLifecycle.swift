import Glibc
package import STPlatform

/// The state of a service.
package enum ServiceState: Sendable, Equatable {
    /// The action after the process that is being ended has ended.
    package enum Next: Sendable, Equatable {
        case stop
        case startAgain
        case backOff(reason: Message)
    }

    /// Other services must be ready first.
    case waiting
    case starting(deadlineMs: Int64)
    case ready(sinceMs: Int64)
    /// `killAtMs` is nil once SIGKILL has been sent.
    case stopping(killAtMs: Int64?, next: Next)
    case backingOff(untilMs: Int64)
    /// The service will not start again by itself.
    case failed(reason: Message)
    case stopped

    package var name: String {
        switch self {
        case .waiting: "waiting"
        case .starting: "starting"
        case .ready: "ready"
        case .stopping: "stopping"
        case .backingOff: "backing_off"
        case .failed: "failed"
        case .stopped: "stopped"
        }
    }

    package var isReady: Bool { name == "ready" }

    package var isFailed: Bool { name == "failed" }

    /// True if the service has a process.
    package var isRunning: Bool {
        switch self {
        case .starting, .ready, .stopping: true
        case .waiting, .backingOff, .failed, .stopped: false
        }
    }
}

/// An event in the life of a service.
package enum LifecycleEvent: Sendable, Equatable {
    /// Its turn has come, or a person starts it.
    case start
    case stop
    case restart
    case spawned
    case spawnFailed(reason: Message, retryable: Bool)
    /// The process sent READY=1.
    case becameReady
    /// The process needs this much time from now to become ready.
    case extended(byMs: Int64)
    /// The process sent WATCHDOG=1.
    case fedWatchdog
    case exited(ExitStatus)
    /// Time has passed.
    case tick
}

/// An action for a service.
package enum LifecycleEffect: Sendable, Equatable {
    case spawn
    /// Send a signal to the process.
    case signal(Int32)
    /// Send a signal to the process and to everything that it started in its group.
    case signalGroup(Int32)
}

/// The time limits of a service's life.
package struct LifecycleTimes: Sendable, Equatable {
    /// From the start to READY=1.
    package var startMs: Int64
    /// From SIGTERM to SIGKILL. It is a little more than a service allows itself, because the last commit may wait for a busy disk.
    package var stopMs: Int64
    /// From SIGABRT to SIGKILL. A service that hangs has nothing to finish, and may be holding a person's apps.
    package var abortMs: Int64
    /// The delay before the first restart, which doubles with each failure.
    package var backOffMs: Int64
    /// The longest delay before a restart.
    package var backOffMsMax: Int64
    /// The time without a failure after which the next failure counts as the first.
    package var healthyMs: Int64

    package init(
        startMs: Int64 = 10_000,
        stopMs: Int64 = 10_000,
        abortMs: Int64 = 2000,
        backOffMs: Int64 = 100,
        backOffMsMax: Int64 = 10_000,
        healthyMs: Int64 = 30_000
    ) {
        self.startMs = startMs
        self.stopMs = stopMs
        self.abortMs = abortMs
        self.backOffMs = backOffMs
        self.backOffMsMax = backOffMsMax
        self.healthyMs = healthyMs
    }
}

/// The rules by which one service is started, watched, restarted and stopped, without processes and clocks.
package struct ServiceLifecycle: Sendable {
    package private(set) var state = ServiceState.waiting
    /// The number of processes that were started.
    package private(set) var starts = 0
    package private(set) var lastExit: ExitStatus?
    /// The reason of the last failure, until the service is ready again.
    package private(set) var lastFailure: Message?

    private let notify: Bool
    private let watchdogMs: Int64?
    private let times: LifecycleTimes
    private let restartsAfterFailure: Bool
    private var failuresInARow = 0
    private var startedMs: Int64 = 0
    private var watchdogDeadlineMs: Int64?

    package init(
        notify: Bool = true,
        watchdogMs: Int64? = nil,
        times: LifecycleTimes = LifecycleTimes(),
        restartsAfterFailure: Bool = true
    ) {
        self.notify = notify
        self.watchdogMs = watchdogMs
        self.times = times
        self.restartsAfterFailure = restartsAfterFailure
    }

    package var restarts: Int { max(0, starts - 1) }

    /// The moment at which `tick` is due, or nil if there is none.
    package var nextTickMs: Int64? {
        switch state {
        case .starting(let deadlineMs): deadlineMs
        case .ready: watchdogDeadlineMs
        case .stopping(let killAtMs, _): killAtMs
        case .backingOff(let untilMs): untilMs
        case .waiting, .failed, .stopped: nil
        }
    }

    package mutating func handle(_ event: LifecycleEvent, nowMs: Int64) -> [LifecycleEffect] {
        switch event {
        case .start: return state.isRunning ? [] : start(nowMs)
        case .stop: return stop(nowMs)
        case .restart: return restart(nowMs)
        case .spawned:
            if !notify { becomeReady(nowMs) }
            return []
        case .spawnFailed(let reason, let retryable):
            guard case .starting = state else { return [] }
            if retryable { fail(reason, nowMs) } else { markFailed(reason) }
            return []
        case .becameReady:
            becomeReady(nowMs)
            return []
        case .extended(let byMs):
            guard case .starting(let deadlineMs) = state else { return [] }
            state = .starting(deadlineMs: max(deadlineMs, nowMs + byMs))
            return []
        case .fedWatchdog:
            if state.isReady { watchdogDeadlineMs = watchdogMs.map { nowMs + $0 } }
            return []
        case .exited(let status): return exited(status, nowMs)
        case .tick: return tick(nowMs)
        }
    }

    private mutating func start(_ nowMs: Int64) -> [LifecycleEffect] {
        state = .starting(deadlineMs: nowMs + times.startMs)
        startedMs = nowMs
        starts += 1
        return [.spawn]
    }

    private mutating func becomeReady(_ nowMs: Int64) {
        guard case .starting = state else { return }
        state = .ready(sinceMs: nowMs)
        lastFailure = nil
        watchdogDeadlineMs = watchdogMs.map { nowMs + $0 }
    }

    private mutating func stop(_ nowMs: Int64) -> [LifecycleEffect] {
        switch state {
        case .starting, .ready: return end(SIGTERM, nowMs, next: .stop)
        case .stopping(let killAtMs, _): state = .stopping(killAtMs: killAtMs, next: .stop)
        case .waiting, .backingOff, .failed, .stopped: state = .stopped
        }
        return []
    }

    private mutating func restart(_ nowMs: Int64) -> [LifecycleEffect] {
        switch state {
        case .starting, .ready: return end(SIGTERM, nowMs, next: .startAgain)
        case .stopping(let killAtMs, _): state = .stopping(killAtMs: killAtMs, next: .startAgain)
        case .waiting, .backingOff, .failed, .stopped: return start(nowMs)
        }
        return []
    }

    /// Sends a signal that ends the process. A suspended process handles no signal but SIGKILL, so it is continued as well.
    private mutating func end(_ signal: Int32, _ nowMs: Int64, next: ServiceState.Next) -> [LifecycleEffect] {
        let graceMs = signal == SIGABRT ? times.abortMs : times.stopMs
        state = .stopping(killAtMs: nowMs + graceMs, next: next)
        return [.signal(signal), .signalGroup(SIGCONT)]
    }

    private mutating func exited(_ status: ExitStatus, _ nowMs: Int64) -> [LifecycleEffect] {
        lastExit = status
        switch state {
        case .starting:
            fail(
                Message("service-failure.ended-early", "\(status.message, "how") before it was ready"),
                nowMs
            )
        case .ready(let sinceMs):
            if nowMs - sinceMs >= times.healthyMs { failuresInARow = 0 }
            fail(status.message, nowMs)
        case .stopping(_, .stop): state = .stopped
        case .stopping(_, .startAgain): return start(nowMs)
        case .stopping(_, .backOff(let reason)): fail(reason, nowMs)
        case .waiting, .backingOff, .failed, .stopped: break
        }
        return []
    }

    private mutating func tick(_ nowMs: Int64) -> [LifecycleEffect] {
        guard let dueMs = nextTickMs, nowMs >= dueMs else { return [] }
        switch state {
        case .starting(let deadlineMs):
            let length = MessageValue.duration(ms: deadlineMs - startedMs)
            let reason = Message("service-failure.not-ready", "was not ready within \(length, "length")")
            lastFailure = reason
            state = .stopping(killAtMs: nil, next: .backOff(reason: reason))
            return [.signalGroup(SIGKILL)]
        case .ready(let sinceMs):
            if nowMs - sinceMs >= times.healthyMs { failuresInARow = 0 }
            let length = MessageValue.duration(ms: watchdogMs ?? 0)
            let reason = Message(
                "service-failure.no-watchdog",
                "sent no watchdog notification (WATCHDOG=1) for \(length, "length")"
            )
            lastFailure = reason
            return end(SIGABRT, nowMs, next: .backOff(reason: reason))
        case .stopping(_, let next):
            state = .stopping(killAtMs: nil, next: next)
            return [.signalGroup(SIGKILL)]
        case .backingOff: return start(nowMs)
        case .waiting, .failed, .stopped: return []
        }
    }

    private mutating func fail(_ reason: Message, _ nowMs: Int64) {
        guard restartsAfterFailure else { return markFailed(reason) }
        lastFailure = reason
        // Beyond 20 doublings the limit has long been reached, and a shift could overflow.
        let delayMs = min(times.backOffMsMax, times.backOffMs << min(failuresInARow, 20))
        failuresInARow += 1
        state = .backingOff(untilMs: nowMs + delayMs)
    }

    private mutating func markFailed(_ reason: Message) {
        lastFailure = reason
        state = .failed(reason: reason)
    }
}
