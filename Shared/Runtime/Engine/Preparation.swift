package import STContracts

/// What a route must hear before its handler runs: from another service, or from this one's own companion.
///
/// The handler stays a plain function of what it was told, so it runs the same in a test and in the simulator. A route
/// may have several: they are asked one after the other, and a later question may depend on earlier answers.
package struct Preparation<State: Sendable>: Sendable {
    package let source: PreparationSource
    package let route: String
    /// The body of the question that a request leads to; nil when it needs none.
    package let question: @Sendable (State, [UInt8], PreparedAnswers) throws -> [UInt8]?

    /// `ask` may look at the state and at what was answered before, and answers nil when a request needs none.
    package static func of<R: Route, Asked: Route>(
        _ asked: Asked.Type,
        _ source: PreparationSource,
        for route: R.Type,
        _ ask: @escaping @Sendable (State, R.Request, PreparedAnswers) throws -> Asked.Request?
    ) -> Preparation {
        Preparation(source: source, route: Asked.name) { state, body, answers in
            try ask(state, R.Request.decodedBody(body), answers)?.encodedBody()
        }
    }
}
