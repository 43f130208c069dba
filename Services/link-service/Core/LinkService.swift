import STContracts
package import STEngine

/// The service that connects this machine to a household of several machines.
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
