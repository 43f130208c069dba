import Glibc
import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

@Suite("State folder that is removed while no service runs")
struct JournalTests {
    /// Runs a separate journald in a mount namespace with its own `/run`.
    private static let script = """
        set -e
        mount -t tmpfs tmpfs /run
        mkdir --parents /run/log/journal /run/systemd/journal
        /lib/systemd/systemd-journald & journal=$!
        trap 'kill $journal' EXIT
        for _ in $(seq 100); do [[ -S /run/systemd/journal/socket ]] && break; sleep 0.1; done
        mark() { echo "== $1"; }
        run() { "$SCREENTIME" "$@"; }
        run system up --detach
        run member add robin --role individual
        run system down
        rm --recursive "$SCREENTIME_STATE"
        run system up --detach
        mark history
        for _ in $(seq 100); do run history | grep --quiet 'missing' && break; sleep 0.1; done
        run history
        mark status
        run status || true
        # A service that is slow to start may miss its records later than the others.
        for _ in $(seq 50); do
            run data accept-loss 'a new disk' || true
            run status | grep --quiet 'missing' || break
            sleep 0.2
        done
        mark accepted
        run status
        run system down
        mark journal
        journalctl --no-pager --output cat SYSLOG_IDENTIFIER=screentime
        """

    @Test(
        "With the system's journal, a removed state folder is reported until a person accepts the loss"
    )
    func journal() throws {
        let system = try CommandSystem()
        var environment = system.environment
        environment["SCREENTIME_JOURNAL"] = nil
        environment["SCREENTIME"] = BuiltTree.programs + "/screentime"
        let command = try RunningCommand(
            "/usr/bin/unshare",
            ["--map-root-user", "--mount", "/bin/bash", "-c", Self.script],
            environment: environment,
            outputPath: system.scratch.file("output")
        )

        #expect(command.wait(withinMs: 120_000) == .exited(0), "\(command.output)")
        let parts = command.output.split(separator: "== ").map(String.init)
        let part = { (name: String) in parts.first { $0.hasPrefix(name + "\n") } ?? "" }
        #expect(part("history").contains("The database of auth-service is missing, with all its records."))
        #expect(part("status").contains("missing"))
        #expect(!part("accepted").contains("missing"))
        #expect(part("journal").contains("auth-service has "))
    }
}
