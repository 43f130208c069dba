import STPlatform

/// Where a service is in its life.
package enum ServiceState: Sendable, Equatable {
    /// What a service does once the process that is being ended has ended.
    package enum Next: Sendable, Equatable {
        case stop
        case startAgain
        case backOff(reason: String)
    }

    /// For others to be ready.
    case waiting
    case starting(deadlineMs: Int64)
    case ready(sinceMs: Int64)
    /// `killAtMs` is nil once SIGKILL was sent.
    case stopping(killAtMs: Int64?, next: Next)
    case backingOff(untilMs: Int64)
    /// It will not start again by itself.
    case failed(reason: String)
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

    /// Whether a process is there.
    package var isRunning: Bool {
        switch self {
        case .starting, .ready, .stopping: true
        case .waiting, .backingOff, .failed, .stopped: false
        }
    }
}
