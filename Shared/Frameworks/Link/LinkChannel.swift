package import STContracts
package import STPlatform

/// A way to the services.
package protocol LinkChannel: Sendable {
    typealias Completion = @Sendable (Result<[UInt8], Problem>) -> Void

    /// Asks, and calls the closure exactly once, at the deadline at the latest, on the channel's own thread.
    func start(_ request: LinkRequest, _ completion: @escaping Completion)

    /// Calls the closure whenever one of the topics of a service may have something new, on the channel's own thread.
    func watch(_ service: ServiceName, topics: [String], _ heard: @escaping @Sendable () -> Void)

    /// Calls the closure after some real time, on the channel's own thread.
    func after(milliseconds: Int64, _ work: @escaping @Sendable () -> Void)
}
