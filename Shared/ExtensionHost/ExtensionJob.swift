package import STContracts

/// One callback to be made.
package struct ExtensionJob: Sendable {
    package var call: ExtensionCall
    /// The id of the event that led here; what the callback asks for says so.
    package var cause: String
    package var trace: TraceContext

    package init(call: ExtensionCall, cause: String, trace: TraceContext) {
        self.call = call
        self.cause = cause
        self.trace = trace
    }
}
