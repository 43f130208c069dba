package import STContracts
package import STStore

/// A route with its handler, the types hidden: decode, call, encode.
package struct ServiceRoute<State: Sendable>: Sendable {
    package enum Work: Sendable {
        /// On the bus thread, from memory alone: the fast path.
        case read(@Sendable (State, [UInt8], RequestContext) throws -> [UInt8])
        /// On the database's thread, between commits.
        case query(@Sendable (State, [UInt8], RequestContext, Database) throws -> [UInt8])
        /// On the database's thread, inside a transaction shared with its neighbours, in a savepoint of its own.
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
                try handler(state, R.Request.decodedBody(body), context).encodedBody()
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
                try handler(state, R.Request.decodedBody(body), context, database).encodedBody()
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
                try handler(&state, R.Request.decodedBody(body), context, transaction).encodedBody()
            }
        )
    }

    /// A write that needs another service's word first.
    ///
    /// `ask` says what to ask it, or nil when a request needs no answer; the handler then gets nil as well.
    package static func write<R: Route, Asked: Route>(
        _ route: R.Type,
        after asked: Asked.Type,
        of service: ServiceName,
        ask: @escaping @Sendable (R.Request) throws -> Asked.Request?,
        _ handler:
            @escaping @Sendable (inout State, R.Request, Asked.Reply?, RequestContext, StoreTransaction)
            throws
            -> R.Reply
    ) -> ServiceRoute {
        var made = ServiceRoute.write(route) { state, request, context, transaction in
            try handler(&state, request, context.prepared.of(Asked.self), context, transaction)
        }
        made.preparations = [
            .of(Asked.self, .service(service), for: route) { _, request, _ in try ask(request) }
        ]
        return made
    }

    /// A write that the service's own companion prepares, such as by calling an extension.
    ///
    /// The handler gets nil when there was nothing to ask, and also when no answer came.
    package static func write<R: Route, Asked: Route>(
        _ route: R.Type,
        afterCompanion asked: Asked.Type,
        ask: @escaping @Sendable (R.Request) throws -> Asked.Request?,
        _ handler:
            @escaping @Sendable (inout State, R.Request, Asked.Reply?, RequestContext, StoreTransaction)
            throws
            -> R.Reply
    ) -> ServiceRoute {
        ServiceRoute.write(route) { state, request, context, transaction in
            try handler(&state, request, context.prepared.of(Asked.self), context, transaction)
        }
        .after(.of(Asked.self, .companion, for: route) { _, request, _ in try ask(request) })
    }

    /// The same route, once other services have said what its handler finds in `context.prepared`.
    package func after(_ preparations: Preparation<State>...) -> ServiceRoute {
        var made = self
        made.preparations += preparations
        return made
    }

    /// What must be asked next; nil when the handler can run.
    package func nextQuestion(_ state: State, _ body: [UInt8], _ prepared: [String: [UInt8]]) throws -> (
        source: PreparationSource, route: String, body: [UInt8]
    )? {
        for preparation in preparations where prepared[preparation.route] == nil {
            let question = try preparation.question(state, body, PreparedAnswers(prepared))
            if let question { return (preparation.source, preparation.route, question) }
        }
        return nil
    }
}
