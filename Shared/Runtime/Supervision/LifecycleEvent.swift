package import STPlatform

/// What can happen to a service.
package enum LifecycleEvent: Sendable, Equatable {
    /// Its turn has come, or somebody asked for it.
    case start
    case stop
    case restart
    case spawned
    case spawnFailed(reason: String, retryable: Bool)
    /// READY=1.
    case becameReady
    /// WATCHDOG=1.
    case fedWatchdog
    case exited(ExitStatus)
    /// Time passed.
    case tick
}
