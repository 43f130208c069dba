import Glibc
import STPlatform
package import STPostgres
import STTestSupport

/// A real PostgreSQL for one test, started like `scripts/postgresql.sh`.
package final class TestPostgres: Sendable {
    /// The server of the suite with the trait `.postgres`.
    @TaskLocal package static var current: TestPostgres?

    private let scratch: ScratchDirectory
    private let port: UInt16?
    package let address: String

    /// With a port, it is reached over TLS and with a password.
    package init(port: UInt16? = nil) throws {
        scratch = try ScratchDirectory()
        self.port = port
        address = try Self.script(["start", scratch.path] + (port.map { ["--port", "\($0)"] } ?? []))
    }

    package static func run<T>(
        port: UInt16? = nil,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (TestPostgres) async throws -> T
    ) async throws -> T {
        let server = try TestPostgres(port: port)
        defer { server.end() }
        return try await body(server)
    }

    /// Creates an empty database and returns its address.
    package func database() throws -> String {
        let name = "d" + Identifier.make(wallMs: 0).filter { $0 != "-" }.lowercased()
        try PostgresConnection(address).execute("CREATE DATABASE \(name)")
        return address.replacing("/screentime?", with: "/\(name)?")
    }

    package var connection: PostgresConnection { PostgresConnection(address) }

    package func end() {
        // Also if a test has killed it.
        _ = try? Self.script(["stop", scratch.path])
        scratch.remove()
    }

    package func start() throws {
        _ = try Self.script(["start", scratch.path] + (port.map { ["--port", "\($0)"] } ?? []))
    }

    package func stop() throws { _ = try Self.script(["stop", scratch.path]) }

    package func send(_ signal: Int32) throws {
        let text = ScratchDirectory.text(scratch.file("data/postmaster.pid"))
        guard let pid = text.split(separator: "\n").first.flatMap({ pid_t($0) }), kill(pid, signal) == 0
        else {
            throw NotYet("PostgreSQL does not run")
        }
    }

    /// Returns the folder of the programs, which also contains `psql`.
    package static func programs() throws -> String { try script([], "fetch-postgresql.sh") }

    private static func script(_ arguments: [String], _ name: String = "postgresql.sh") throws -> String {
        let scratch = try ScratchDirectory()
        let out = scratch.file("out")
        let file = open(out, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SystemError.last("open") }
        defer { close(file) }
        // Foundation's `Process` would also wait for the server, which the script leaves running.
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: BuiltTree.source("scripts/\(name)"),
                arguments: arguments,
                environment: ProcessEnvironment.current(),
                standardOutput: file
            )
        )
        guard let ending = process.wait(deadlineMs: 300_000) else {
            _ = process.signal(SIGKILL)
            throw NotYet("scripts/\(name) has not ended")
        }
        guard ending.isSuccess else { throw NotYet("scripts/\(name) failed: \(ending)") }
        return String(ScratchDirectory.text(out).prefix { $0 != "\n" })
    }
}
