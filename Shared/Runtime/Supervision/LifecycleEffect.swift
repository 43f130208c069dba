/// What is to be done for a service.
package enum LifecycleEffect: Sendable, Equatable {
    case spawn
    /// To the process.
    case signal(Int32)
    /// To the process and all it started in its group.
    case signalGroup(Int32)
}
