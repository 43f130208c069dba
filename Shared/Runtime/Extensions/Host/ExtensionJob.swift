package import STContracts

/// One callback to be made.
package struct ExtensionJob: Sendable {
    package var call: ExtensionCall
    /// The id of the event that led here; what the callback asks for says so.
    package var cause: String
    package var trace: TraceContext
    /// Afterwards nobody waits for it any more, so that it is not begun; nil is never.
    package var startByBootMs: Int64?

    package init(call: ExtensionCall, cause: String, trace: TraceContext, startByBootMs: Int64? = nil) {
        self.call = call
        self.cause = cause
        self.trace = trace
        self.startByBootMs = startByBootMs
    }
}
