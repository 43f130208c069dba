import Glibc
package import STPlatform

/// The state of a service. Its moments are readings of the monotonic clock.
package enum ServiceState: Sendable, Equatable {
    /// The action after the process that is being ended has ended.
    package enum Next: Sendable, Equatable {
        case stop
        case startAgain
        case backOff(reason: Message)
    }

    /// Other services must be ready first.
    case waiting
    case starting(deadline: Duration)
    case ready(since: Duration)
    /// `killAt` is nil once SIGKILL has been sent.
    case stopping(killAt: Duration?, next: Next)
    case backingOff(until: Duration)
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
    case extended(by: Duration)
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
    package var start: Duration
    /// From SIGTERM to SIGKILL. It is a little more than a service allows itself, because the last commit may wait for a busy disk.
    package var stop = Duration.seconds(10)
    /// From SIGABRT to SIGKILL. A service that hangs has nothing to finish, and may be holding a person's apps.
    package var abort = Duration.seconds(2)
    /// The delay before the first restart, which doubles with each failure.
    package var backOff: Duration
    /// The longest delay before a restart.
    package var backOffMax: Duration
    /// The time without a failure after which the next failure counts as the first.
    package var healthy = Duration.seconds(30)

    package init(
        start: Duration = .seconds(10),
        backOffMs: Int64 = 100,
        backOffMsMax: Int64 = 10_000
    ) {
        self.start = start
        backOff = .milliseconds(backOffMs)
        backOffMax = .milliseconds(backOffMsMax)
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
    private let watchdog: Duration?
    private let times: LifecycleTimes
    private let restartsAfterFailure: Bool
    private var failuresInARow = 0
    private var started = Duration.zero
    private var watchdogDeadline: Duration?

    package init(
        notify: Bool = true,
        watchdog: Duration? = nil,
        times: LifecycleTimes = LifecycleTimes(),
        restartsAfterFailure: Bool = true
    ) {
        self.notify = notify
        self.watchdog = watchdog
        self.times = times
        self.restartsAfterFailure = restartsAfterFailure
    }

    package var restarts: Int { max(0, starts - 1) }

    /// The moment at which `tick` is due, or nil if there is none.
    package var nextTick: Duration? {
        switch state {
        case .starting(let deadline): deadline
        case .ready: watchdogDeadline
        case .stopping(let killAt, _): killAt
        case .backingOff(let until): until
        case .waiting, .failed, .stopped: nil
        }
    }

    package mutating func handle(_ event: LifecycleEvent, now: Duration) -> [LifecycleEffect] {
        switch event {
        case .start: return state.isRunning ? [] : start(now)
        case .stop: return stop(now)
        case .restart: return restart(now)
        case .spawned:
            if !notify { becomeReady(now) }
            return []
        case .spawnFailed(let reason, let retryable):
            guard case .starting = state else { return [] }
            if retryable { fail(reason, now) } else { markFailed(reason) }
            return []
        case .becameReady:
            becomeReady(now)
            return []
        case .extended(let length):
            guard case .starting(let deadline) = state else { return [] }
            state = .starting(deadline: max(deadline, now + length))
            return []
        case .fedWatchdog:
            if state.isReady { watchdogDeadline = watchdog.map { now + $0 } }
            return []
        case .exited(let status): return exited(status, now)
        case .tick: return tick(now)
        }
    }

    private mutating func start(_ now: Duration) -> [LifecycleEffect] {
        state = .starting(deadline: now + times.start)
        started = now
        starts += 1
        return [.spawn]
    }

    private mutating func becomeReady(_ now: Duration) {
        guard case .starting = state else { return }
        state = .ready(since: now)
        lastFailure = nil
        watchdogDeadline = watchdog.map { now + $0 }
    }

    private mutating func stop(_ now: Duration) -> [LifecycleEffect] {
        switch state {
        case .starting, .ready: return end(SIGTERM, now, next: .stop)
        case .stopping(let killAt, _): state = .stopping(killAt: killAt, next: .stop)
        case .waiting, .backingOff, .failed, .stopped: state = .stopped
        }
        return []
    }

    private mutating func restart(_ now: Duration) -> [LifecycleEffect] {
        switch state {
        case .starting, .ready: return end(SIGTERM, now, next: .startAgain)
        case .stopping(let killAt, _): state = .stopping(killAt: killAt, next: .startAgain)
        case .waiting, .backingOff, .failed, .stopped: return start(now)
        }
        return []
    }

    /// Sends a signal that ends the process. A suspended process handles no signal but SIGKILL, so it is continued as well.
    private mutating func end(_ signal: Int32, _ now: Duration, next: ServiceState.Next) -> [LifecycleEffect]
    {
        let grace = signal == SIGABRT ? times.abort : times.stop
        state = .stopping(killAt: now + grace, next: next)
        return [.signal(signal), .signalGroup(SIGCONT)]
    }

    private mutating func exited(_ status: ExitStatus, _ now: Duration) -> [LifecycleEffect] {
        lastExit = status
        switch state {
        case .starting:
            fail(
                Message("service-failure.ended-early", "\(status.message, "how") before it was ready"),
                now
            )
        case .ready(let since):
            if now - since >= times.healthy { failuresInARow = 0 }
            fail(status.message, now)
        case .stopping(_, .stop): state = .stopped
        case .stopping(_, .startAgain): return start(now)
        case .stopping(_, .backOff(let reason)): fail(reason, now)
        case .waiting, .backingOff, .failed, .stopped: break
        }
        return []
    }

    private mutating func tick(_ now: Duration) -> [LifecycleEffect] {
        guard let due = nextTick, now >= due else { return [] }
        switch state {
        case .starting(let deadline):
            let length = MessageValue.duration(ms: (deadline - started).ms)
            let reason = Message("service-failure.not-ready", "was not ready within \(length, "length")")
            lastFailure = reason
            state = .stopping(killAt: nil, next: .backOff(reason: reason))
            return [.signalGroup(SIGKILL)]
        case .ready(let since):
            if now - since >= times.healthy { failuresInARow = 0 }
            let length = MessageValue.duration(ms: watchdog?.ms ?? 0)
            let reason = Message(
                "service-failure.no-watchdog",
                "sent no watchdog notification (WATCHDOG=1) for \(length, "length")"
            )
            lastFailure = reason
            return end(SIGABRT, now, next: .backOff(reason: reason))
        case .stopping(_, let next):
            state = .stopping(killAt: nil, next: next)
            return [.signalGroup(SIGKILL)]
        case .backingOff: return start(now)
        case .waiting, .failed, .stopped: return []
        }
    }

    private mutating func fail(_ reason: Message, _ now: Duration) {
        guard restartsAfterFailure else { return markFailed(reason) }
        lastFailure = reason
        // Beyond 20 doublings the limit has long been reached, and the product could overflow.
        let delay = min(times.backOffMax, times.backOff * (1 << min(failuresInARow, 20)))
        failuresInARow += 1
        state = .backingOff(until: now + delay)
    }

    private mutating func markFailed(_ reason: Message) {
        lastFailure = reason
        state = .failed(reason: reason)
    }
}
