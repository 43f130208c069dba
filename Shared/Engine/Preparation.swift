package import STContracts

/// What a route must hear from another service before its handler runs.
///
/// The handler stays a plain function of what it was told, so it runs the same in a test and in the simulator.
package struct Preparation: Sendable {
    package let service: ServiceName
    package let route: String
    /// The body of the question that a request leads to; nil when it needs none.
    package let question: @Sendable ([UInt8]) throws -> [UInt8]?
}
