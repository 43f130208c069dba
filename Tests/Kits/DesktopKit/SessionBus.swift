import Glibc
import STDBus
import STPlatform
package import STTestSupport

/// A message bus of a test, which activates no services. It can be killed, and started again at the same address.
///
/// By default this is a session bus, and with another name also the system bus.
package final class SessionBus {
    package let address: String
    private let socket: String
    private let configuration: String
    private var process: SpawnedProcess?

    /// `rules` follow the policy that allows everything, so that a test can forbid something.
    package init(_ scratch: ScratchDirectory, name: String = "bus", rules: String = "") throws {
        socket = scratch.file(name)
        configuration = scratch.file("\(name).conf")
        address = "unix:path=" + DBusAddress.escaped(socket)
        // Any user may connect, because a compositor under test runs as another user than the test. The limits are those of
        // Debian's session bus, which disconnects no client on a busy machine.
        try scratch.write(
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>unix:path=\(socket)</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow user="*"/>
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
                \(rules)
              </policy>
              <limit name="auth_timeout">240000</limit>
              <limit name="max_incoming_bytes">1000000000</limit>
              <limit name="max_outgoing_bytes">1000000000</limit>
              <limit name="max_message_size">1000000000</limit>
              <limit name="max_completed_connections">100000</limit>
              <limit name="max_connections_per_user">100000</limit>
              <limit name="max_replies_per_connection">50000</limit>
            </busconfig>
            """,
            to: "\(name).conf"
        )
        try start()
    }

    /// Does nothing while it runs.
    package func start() throws {
        guard process == nil else { return }
        unlink(socket)
        process = try SpawnedProcess(
            SpawnPlan(
                executable: "/usr/bin/dbus-daemon",
                arguments: ["--nofork", "--nopidfile", "--config-file=\(configuration)"],
                environment: ["PATH": "/usr/bin:/bin"],
                hasLifeline: false,
                isTethered: false
            )
        )
        // A bound socket may not listen yet: only a connection proves that.
        guard comesTrue({ Self.takesConnections(socket) }) else {
            throw NotYet("dbus-daemon does not listen")
        }
    }

    private static func takesConnections(_ path: String) -> Bool {
        let number = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return false }
        let descriptor = OwnedDescriptor(number)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        } == 0
    }

    package func stop() {
        process?.signal(SIGKILL)
        _ = process?.wait(deadlineMs: 5_000)
        process = nil
    }

    deinit { stop() }
}

/// The two buses of a desktop.
package final class DBusPair {
    package let session: SessionBus
    package let system: SessionBus

    /// `rules` are for the policy of the session bus.
    package init(_ scratch: ScratchDirectory, rules: String = "") throws {
        session = try SessionBus(scratch, name: "session-bus", rules: rules)
        system = try SessionBus(scratch, name: "system-bus")
    }

    /// The environment that a program needs to find both buses.
    package var environment: [String: String] {
        ["DBUS_SESSION_BUS_ADDRESS": session.address, "DBUS_SYSTEM_BUS_ADDRESS": system.address]
    }

    package func stop() {
        session.stop()
        system.stop()
    }
}
