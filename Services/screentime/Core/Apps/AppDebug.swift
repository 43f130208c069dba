import Glibc
import STContracts
import STPlatform

/// `screentime app debug`.
enum AppDebug {
    private static let withinMs: Int64 = 5_000
    private static let everyMs = 50

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let app = invocation.subjects[0]
        let isOn = !invocation.has("--off")
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            isOn
                ? try await started(app, clients)
                : try await clients.call(MonitorDebug.self, .init(app: app, on: false))
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(try JSONOutput.value(of: reply)))
            return .done
        }
        let name = DisplayWidth.harmless(app)
        guard isOn, let pid = reply.pid else {
            terminal.write("The next callback of \(name) is made as usual.")
            return .done
        }
        let isOurs = debuggerNeedsRoot() ? "sudo " : ""
        terminal.write(
            """
            The monitor of \(name) is started and stopped before its first line, as process \(pid). Attach to it:

                \(isOurs)lldb -p \(pid)
                \(isOurs)gdb -p \(pid)

            Set your breakpoints, then `continue`: it becomes the extension first, and its callbacks come after that.
            Time, memory and output are not counted. It ends with: screentime app debug \(name) --off
            """
        )
        return .done
    }

    /// Asked again until the process is there.
    private static func started(_ app: String, _ clients: ServiceClients) async throws -> MonitorDebug.Reply {
        let deadlineMs = Stopwatch.milliseconds() + withinMs
        while true {
            let reply = try await clients.call(MonitorDebug.self, .init(app: app, on: true))
            if reply.pid != nil { return reply }
            guard Stopwatch.milliseconds() < deadlineMs else {
                _ = try? await clients.call(MonitorDebug.self, .init(app: app, on: false))
                throw Problem(
                    "app.not_started",
                    "The monitor of \(app) was not started. Somebody must let it watch, and its program must be there.",
                    help: "screentime app show \(app)"
                )
            }
            try await Task.sleep(for: .milliseconds(everyMs))
        }
    }

    /// Whether the machine lets only root attach to a process that is not one's own child.
    private static func debuggerNeedsRoot() -> Bool {
        let scope = try? AtomicFile.read("/proc/sys/kernel/yama/ptrace_scope", limitBytes: 16)
        return geteuid() != 0 && scope.map { ($0.first ?? 0x30) != 0x30 } ?? false
    }
}
