package import STBus
package import STContracts

/// What a route must hear before its handler runs: from another service, or from this one's own companion.
///
/// The handler stays a plain function of its request and the answers, so it runs the same in a test and in the simulator. A route
/// may have several: they are asked one after the other, and a later question may depend on earlier answers.
package struct Preparation<State: Sendable>: Sendable {
    package let source: PreparationSource
    package let route: String
    /// The body of the question that a request leads to, or nil when it needs none; may keep what it read.
    package let question: @Sendable (State, inout AdmittedRequest) throws -> [UInt8]?

    /// `ask` may look at the state and at what was answered before, and answers nil when a request needs none.
    package static func of<R: Route, Asked: Route>(
        _ asked: Asked.Type,
        _ source: PreparationSource,
        for route: R.Type,
        _ ask: @escaping @Sendable (State, R.Request, PreparedAnswers) throws -> Asked.Request?
    ) -> Preparation {
        Preparation(source: source, route: Asked.name) { state, request in
            let answers = PreparedAnswers(request.prepared)
            return try ask(state, R.Request.decodedBody(request.body), answers)?.encodedBody()
        }
    }

    /// Asks for a guardian's word on what loosens something for a child; `child` answers nil where nothing is loosened.
    package static func guardian<R: Route>(
        for route: R.Type,
        _ purpose: String,
        _ given: @escaping @Sendable (R.Request) -> Proof?,
        child: @escaping @Sendable (State, R.Request) throws -> String?
    ) -> Preparation {
        .of(AuthProve.self, .service(.auth), for: route) { state, asked, _ in
            guard let member = try child(state, asked) else { return nil }
            return AuthProve.Request(
                member: member,
                by: given(asked)?.by,
                passcode: given(asked)?.passcode,
                purpose: "\(purpose) of \(member)",
                forChild: true
            )
        }
    }
}

/// Who is asked what a request needs to know.
package enum PreparationSource: Sendable, Hashable {
    /// A request that gets no answer is refused.
    case service(ServiceName)
    /// What this process does beside answering, such as calling extensions.
    ///
    /// The handler does without when there is no answer: it finds none.
    case companion
}

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

/// What other services have said for a request, by the routes that were asked.
package struct PreparedAnswers: Sendable {
    package var bodies: [String: [UInt8]]

    package init(_ bodies: [String: [UInt8]] = [:]) { self.bodies = bodies }

    /// Nil when it was not asked, or a companion had no answer.
    package func of<Asked: Route>(_ asked: Asked.Type) throws -> Asked.Reply? {
        guard let body = bodies[Asked.name], !body.isEmpty else { return nil }
        return try Asked.Reply.decodedBody(body)
    }

    /// The guardian who has agreed; nil where no word was needed.
    package func guardian() throws -> String? {
        guard let proof = try of(AuthProve.self) else { return nil }
        if let refusal = proof.refusal { throw refusal }
        return proof.by
    }
}
