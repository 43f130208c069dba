package import STContracts

/// The services at the end of a scenario, for whoever wants to ask them something.
package struct SimulatedServices: Sendable {
    private let backend: any SimulationBackend

    init(_ backend: any SimulationBackend) { self.backend = backend }

    package func call<R: Route>(_ route: R.Type, _ request: R.Request) async throws -> R.Reply {
        try await backend.call(route, request)
    }
}
