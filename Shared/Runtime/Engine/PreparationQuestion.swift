package import STContracts

/// A question to another service, or to the companion, on behalf of a request that waits for its answer.
package struct PreparationQuestion: Sendable {
    package var id: UInt64
    package var source: PreparationSource
    package var route: String
    package var body: [UInt8]
    package var deadlineBootMs: Int64
    package var trace: TraceContext
    /// The id of the request that waits.
    package var cause: String
}
