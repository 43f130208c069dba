import STContracts
package import STEngine

/// This machine's end of a household of several machines.
package enum LinkService {
    package static func definition() -> ServiceDefinition<LinkServiceState> {
        ServiceDefinition(
            name: .link,
            migrations: LinkTables.migrations,
            load: { try LinkTables.load($0) },
            routes: LinkRoutes.all,
            subscriptions: LinkFollowing.all
        )
    }
}
