package import STContracts

/// What a route must hear before its handler runs: from another service, or from this one's own companion.
///
/// The handler stays a plain function of what it was told, so it runs the same in a test and in the simulator.
package struct Preparation: Sendable {
    /// Who is asked.
    package enum Source: Sendable, Hashable {
        /// A request that gets no answer is refused.
        case service(ServiceName)
        /// What this process does beside answering, such as calling extensions.
        ///
        /// The handler does without when there is no answer: it is told nothing then.
        case companion
    }

    package let source: Source
    package let route: String
    /// The body of the question that a request leads to; nil when it needs none.
    package let question: @Sendable ([UInt8]) throws -> [UInt8]?
}
