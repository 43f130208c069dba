package import STPlatform

/// What a host needs from whoever has it.
package struct ExtensionServices: Sendable {
    /// Asks a service in an extension's name; may be called many times at once.
    package var forward: @Sendable (ForwardedRequest) async throws -> [UInt8]
    /// Hears every line, on the loop's thread.
    package var heard: @Sendable (ExtensionLine) -> Void
    package var now: @Sendable () -> TimeReading
    /// A process that was started for a debugger has ended; on the loop's thread.
    package var debuggingEnded: @Sendable (ExtensionSpec) -> Void

    package init(
        forward: @escaping @Sendable (ForwardedRequest) async throws -> [UInt8],
        heard: @escaping @Sendable (ExtensionLine) -> Void,
        now: @escaping @Sendable () -> TimeReading,
        debuggingEnded: @escaping @Sendable (ExtensionSpec) -> Void = { _ in }
    ) {
        self.forward = forward
        self.heard = heard
        self.now = now
        self.debuggingEnded = debuggingEnded
    }
}
