package import STContracts

/// What a service that calls extensions answers about what they wrote.
package enum OutputRoutes {
    /// `log` is the service's own name for reading the lines.
    package static func all<State: Sendable, Log: Route>(_ log: Log.Type) -> [ServiceRoute<State>]
    where Log.Request == MonitorLog.Request, Log.Reply == MonitorLog.Reply {
        [
            .query(log) { _, request, _, database in try OutputStore.page(request, database) },
            .write(OutputAppend.self) { _, request, _, change in
                try OutputStore.append(request.lines, change.database)
                return Empty()
            },
        ]
    }
}
