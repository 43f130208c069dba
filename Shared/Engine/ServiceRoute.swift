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
}
