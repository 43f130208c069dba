package import STBus
package import STContracts
import STPlatform
package import STStore

/// A route with its handler, whose types are hidden: it decodes, calls and encodes.
package struct ServiceRoute<State: Sendable>: Sendable {
    package enum Work: Sendable {
        /// On the bus thread, from memory only. This is the fast path.
        case read(@Sendable (State, [UInt8], RequestContext) throws -> [UInt8])
        /// On the database's thread, between commits.
        case query(@Sendable (State, [UInt8], RequestContext, Database) throws -> [UInt8])
        /// On the database's thread, in a transaction shared with its neighbours, and in its own savepoint.
        case write(@Sendable (inout State, [UInt8], RequestContext, StoreTransaction) throws -> [UInt8])
    }

    package let info: RouteInfo
    package let work: Work
    package private(set) var preparations: [Preparation<State>] = []

    package static func read<R: Route>(
        _ route: R.Type,
        _ handler: @escaping @Sendable (State, R.Request, RequestContext) throws -> R.Reply
    ) -> ServiceRoute {
        ServiceRoute(
            info: RouteInfo(route),
            work: .read { state, body, context in
                try context.sendDirectReply(handler(state, context.read(body), context))
            }
        )
    }

    package static func query<R: Route>(
        _ route: R.Type,
        _ handler: @escaping @Sendable (State, R.Request, RequestContext, Database) throws -> R.Reply
    ) -> ServiceRoute {
        ServiceRoute(
            info: RouteInfo(route),
            work: .query { state, body, context, database in
                try context.sendDirectReply(handler(state, context.read(body), context, database))
            }
        )
    }

    package static func write<R: Route>(
        _ route: R.Type,
        _ handler:
            @escaping @Sendable (inout State, R.Request, RequestContext, StoreTransaction) throws -> R.Reply
    ) -> ServiceRoute {
        ServiceRoute(
            info: RouteInfo(route),
            work: .write { state, body, context, transaction in
                try context.sendDirectReply(handler(&state, context.read(body), context, transaction))
            }
        )
    }

    /// Creates a write that first sends a question to another service, or to this one's companion.
    ///
    /// `reading` decodes the body, once for the question and the handler. `ask` returns the question, or nil if the request needs
    /// none. The handler receives nil if there was no question, and also if a companion did not reply.
    package static func write<R: Route, Reading: Sendable, Asked: Route>(
        _ route: R.Type,
        reading: @escaping @Sendable (R.Request) throws -> Reading,
        after asked: Asked.Type,
        of source: PreparationSource,
        ask: @escaping @Sendable (Reading) throws -> Asked.Request?,
        _ handler:
            @escaping @Sendable (inout State, Reading, Asked.Reply?, RequestContext, StoreTransaction) throws
            -> R.Reply
    ) -> ServiceRoute {
        ServiceRoute(
            info: RouteInfo(route),
            work: .write { state, body, context, transaction in
                let read = try context.reading?.value as? Reading ?? reading(context.read(body))
                let answer = try context.prepared.reply(Asked.self)
                return try context.sendDirectReply(handler(&state, read, answer, context, transaction))
            }
        )
        .after(
            Preparation(source: source, route: Asked.name) { _, request in
                let read = try reading(request.read(R.Request.self))
                request.reading = RequestReading(read)
                return try ask(read)?.encodedBody()
            }
        )
    }

    /// Creates a route that forwards requests, with their idempotency keys, to the service that answers them now.
    ///
    /// The work is a read, because the other service makes the change. Clients of earlier versions still send these requests here.
    package static func forward<R: Route>(_ route: R.Type, to service: ServiceName) -> ServiceRoute {
        ServiceRoute(
            info: RouteInfo(route),
            work: .read { _, _, context in
                guard let body = context.prepared.bodies[R.name] else {
                    throw Problem(
                        "unavailable",
                        "The request was not forwarded to \(service, "service"). Try again.",
                        key: "unavailable.was-not-asked",
                        retryable: true
                    )
                }
                return body
            }
        )
        .after(Preparation(source: .service(service), route: R.name) { _, request in request.body })
    }

    /// Returns the same route with preparations. The handler finds their replies in `context.prepared`.
    package func after(_ preparations: Preparation<State>...) -> ServiceRoute {
        var made = self
        made.preparations += preparations
        return made
    }

    /// Returns the next question, or nil if the handler can run.
    package func nextQuestion(_ state: State, _ request: inout AdmittedRequest) throws -> (
        source: PreparationSource, route: String, body: [UInt8]
    )? {
        for preparation in preparations where request.prepared[preparation.route] == nil {
            let question = try preparation.makeQuestion(state, &request)
            if let question { return (preparation.source, preparation.route, question) }
        }
        return nil
    }
}
