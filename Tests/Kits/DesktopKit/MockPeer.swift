import Glibc
package import STDBus
import STPlatform
import STTestSupport

/// A real peer on a bus in its own process: python3-dbusmock, controlled over the bus.
package final class MockPeer: Sendable {
    private static let interface = "org.freedesktop.DBus.Mock"
    private static let deadlineMs: Int64 = 20_000
    /// Debian's Python, even if another one comes first in PATH.
    private static let python = "/usr/bin/python3"

    package let name: String
    package let path: String
    private let process: SpawnedProcess
    private let bus: DBusConnection

    package static var isAvailable: Bool {
        access(python, X_OK) == 0 && access("/usr/lib/python3/dist-packages/dbusmock", F_OK) == 0
    }

    package var pid: Int32 { process.pid }

    /// `arguments` are those of `python3 -m dbusmock`, by which it offers `name` and `path`.
    package init(
        _ on: SessionBus,
        name: String,
        path: String,
        arguments: [String],
        output: String
    ) async throws {
        self.name = name
        self.path = path
        let number = open(output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError.last("open") }
        let file = OwnedDescriptor(number)
        process = try SpawnedProcess(
            SpawnPlan(
                executable: Self.python,
                arguments: ["-m", "dbusmock"] + arguments,
                environment: [
                    "PATH": "/usr/bin:/bin", "PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1",
                    "DBUS_SESSION_BUS_ADDRESS": on.address, "DBUS_SYSTEM_BUS_ADDRESS": on.address,
                ],
                standardOutput: file.number,
                standardError: file.number
            )
        )
        bus = try DBusConnection(address: on.address)
        do {
            try await appear(output)
        } catch {
            kill()
            throw error
        }
    }

    private func appear(_ output: String) async throws {
        try await eventually(within: .seconds(60), "\(name) is on the bus") {
            guard process.reap() == nil else { throw NotYet(ScratchDirectory.text(output)) }
            let properties = DBusCall(
                name,
                path: path,
                interface: "org.freedesktop.DBus.Introspectable",
                member: "Introspect"
            )
            _ = try await bus.call(properties, withinMs: Self.deadlineMs)
        }
    }

    /// Kills the process, as a crash does.
    package func kill() {
        process.signal(SIGKILL)
        _ = process.wait(deadlineMs: 5_000)
        bus.close()
    }

    // MARK: - Driving it

    /// Calls any method of any of its objects.
    @discardableResult
    package func call(
        _ member: String,
        _ arguments: [DBusValue] = [],
        path: String? = nil,
        interface: String? = nil
    ) async throws -> [DBusValue] {
        try await bus.call(
            .init(
                name,
                path: path ?? self.path,
                interface: interface ?? Self.interface,
                member: member,
                arguments: arguments
            ),
            withinMs: Self.deadlineMs
        )
    }

    /// Changes properties and emits the signal.
    package func update(
        _ interface: String,
        _ properties: [(key: String, value: DBusValue)],
        path: String? = nil
    ) async throws {
        let values = properties.map { (key: $0.key, value: DBusValue.variant($0.value)) }
        try await call(
            "UpdateProperties",
            [.string(interface), .dictionary(value: "v", values)],
            path: path
        )
    }

    package func emit(
        _ interface: String,
        member: String,
        signature: String,
        arguments: [DBusValue],
        path: String? = nil
    ) async throws {
        let values = DBusValue.array(element: "v", arguments.map { .variant($0) })
        try await call(
            "EmitSignal",
            [.string(interface), .string(member), .string(signature), values],
            path: path
        )
    }

    /// Returns the number of calls of one of its methods.
    package func calls(_ member: String, path: String? = nil) async throws -> Int {
        try await call("GetMethodCalls", [.string(member)], path: path).first?.elements?.count ?? 0
    }
}
