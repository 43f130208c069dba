import Glibc
import STDesktopBus
import STPlatform
import STTestSupport

/// A session bus of the test's own, which starts nothing by itself.
final class SessionBus {
    let address: String
    private let process: SpawnedProcess

    init(_ scratch: ScratchDirectory) throws {
        let socket = scratch.file("bus")
        try scratch.write(
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>unix:path=\(socket)</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
              </policy>
            </busconfig>
            """,
            to: "bus.conf"
        )
        process = try SpawnedProcess(
            SpawnPlan(
                executable: "/usr/bin/dbus-daemon",
                arguments: ["--nofork", "--nopidfile", "--config-file=\(scratch.file("bus.conf"))"],
                environment: ["PATH": "/usr/bin:/bin"],
                hasLifeline: false,
                isTethered: false
            )
        )
        address = "unix:path=" + BusAddress.escaped(socket)
        guard comesTrue({ access(socket, F_OK) == 0 }) else { throw NotYet("dbus-daemon has no socket") }
    }

    func stop() {
        process.signal(SIGKILL)
        _ = process.wait(deadlineMs: 5_000)
    }

    deinit { stop() }
}
