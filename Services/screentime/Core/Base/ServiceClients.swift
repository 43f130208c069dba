import Glibc
import STBus
package import STContracts
package import STPlatform
package import STZeroMQ

/// The command's connection to the bus: one thread and one client. Clients are connected when first used.
package final class ServiceClients: Sendable {
    package let directories: Directories
    package let loop: BusLoop
    private let client: BusClient
    package static let defaultTimeout: Duration = .milliseconds(BusLimits.timeoutMsDefault)
    package static let longestTimeout: Duration = .milliseconds(BusLimits.timeoutMsMax)

    private init(_ directories: Directories) throws {
        self.directories = directories
        loop = try BusLoop()
        client = BusClient(loop: loop) { service in
            let path = try directories.endpoint(service: service.rawValue, .rpc)
            // Without this check, a command would wait its whole deadline for a service that was never started.
            guard access(path, F_OK) == 0 else { throw Self.notRunning(service) }
            return path
        }
    }

    /// Runs the body with a bus, and closes the bus in every case.
    package static func with<Result: Sendable>(
        _ directories: Directories,
        _ body: (ServiceClients) async throws -> Result
    ) async throws -> Result {
        let clients = try ServiceClients(directories)
        do {
            let result = try await body(clients)
            await clients.close()
            return result
        } catch {
            await clients.close()
            throw error
        }
    }

    private func close() async {
        await client.close()
        loop.stop()
    }

    private static func notRunning(_ service: ServiceName) -> Problem {
        Problem(
            "service.not_running",
            "Either Screen Time or its \(service, "service") is not running.",
            key: "service.not_running.screen-time-is",
            retryable: true,
            help: "screentime system up"
        )
    }

    // MARK: - One service

    package func call<R: Route>(
        _ route: R.Type,
        to service: ServiceName? = nil,
        _ request: R.Request,
        timeout: Duration = ServiceClients.defaultTimeout
    ) async throws -> R.Reply {
        guard RemoteMachine.current != nil, let owner = service ?? Catalogue.owner(ofRoute: R.name) else {
            return try await client.call(
                route,
                to: service,
                request,
                options: CallOptions(timeoutMs: timeout.ms)
            )
        }
        let body = try request.encodedBody()
        return try R.Reply.decodedBody(
            try await callRaw(R.name, to: owner, body, options: CallOptions(timeoutMs: timeout.ms))
        )
    }

    package func callRaw(
        _ route: String,
        to service: ServiceName,
        _ body: [UInt8],
        options: CallOptions
    ) async throws -> [UInt8] {
        if let other = RemoteMachine.current {
            let timeout = options.timeoutMs.map { .milliseconds($0) } ?? Self.defaultTimeout
            return try await other.call(
                route,
                service: service,
                body: body,
                client: client,
                timeout: timeout
            )
        }
        return try await client.callRaw(route, to: service, body, options: options)
    }

    /// Calls a route for a typed command line. Removes the JSON field of a problem, because the person did not write JSON.
    package func callTyped<R: Route>(_ route: R.Type, _ request: R.Request) async throws -> R.Reply {
        do {
            return try await call(route, request)
        } catch var problem as Problem {
            problem.field = nil
            throw problem
        }
    }

    package func result<R: Route>(
        _ route: R.Type,
        _ service: ServiceName,
        request: R.Request,
        timeout: Duration
    ) async -> Result<R.Reply, Problem> {
        do {
            return .success(try await call(route, to: service, request, timeout: timeout))
        } catch {
            return .failure(ProblemText.problem(error))
        }
    }

    // MARK: - Several pages, several services

    /// Returns the rows of all pages. `next` contains the key paths of the page token in the request and in the reply.
    package func all<R: Route, Row>(
        _ route: R.Type,
        _ request: R.Request,
        rows: KeyPath<R.Reply, [Row]>,
        next: (WritableKeyPath<R.Request, String?>, KeyPath<R.Reply, String?>),
        timeout: Duration = ServiceClients.defaultTimeout,
        pagesMax: Int = 200
    ) async throws -> [Row] {
        var request = request
        var all: [Row] = []
        for _ in 0..<pagesMax {
            let page = try await call(route, request, timeout: timeout)
            all += page[keyPath: rows]
            guard let more = page[keyPath: next.1] else { break }
            request[keyPath: next.0] = more
        }
        return all
    }

    package func installedApps(timeout: Duration = ServiceClients.defaultTimeout) async throws
        -> [InstalledApp]
    {
        try await all(AppList.self, .init(), rows: \.apps, next: (\.next, \.next), timeout: timeout)
    }

    package func authorizations() async throws -> [Authorization] {
        try await all(AuthorizationList.self, .init(), rows: \.authorizations, next: (\.next, \.next))
    }

    /// True if a person wants a service that does not run on every machine. Always false for another machine.
    package func isWanted(_ service: ServiceName) -> Bool {
        RemoteMachine.current == nil && access(directories.wantedFile(service: service.rawValue), F_OK) == 0
    }

    /// Calls every service concurrently. The result of a service that does not reply is its problem.
    package func results<R: Route>(
        _ route: R.Type,
        _ request: R.Request,
        timeout: Duration
    ) async -> [ServiceName: Result<R.Reply, Problem>] {
        await withTaskGroup(of: (ServiceName, Result<R.Reply, Problem>).self) { group in
            for service in ServiceName.all + ServiceName.ofHousehold.filter(isWanted) {
                group.addTask {
                    (service, await self.result(route, service, request: request, timeout: timeout))
                }
            }
            var answers: [ServiceName: Result<R.Reply, Problem>] = [:]
            for await (service, answer) in group { answers[service] = answer }
            return answers
        }
    }
}
