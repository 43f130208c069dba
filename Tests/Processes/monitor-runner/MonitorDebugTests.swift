import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension MonitorSuite {
    @Suite("Monitor extension under a debugger")
    struct DebugTests {
        @Test(
            "A monitor extension under a debugger starts stopped and has no limits until debugging ends"
        )
        func debug() async throws {
            try await MonitorWorld.run(environment: ["SCREENTIME_MONITOR_RUNNER_CALL_MS": "100"]) { world in
                try await world.allow("app", try world.program())
                // The permission must exist first.
                try await world.happen([("app", "note")])
                _ = try await world.finished(1)
                let reply = try MonitorDebug.Reply.decodedBody(
                    Array(try world.command(["app", "debug", "app", "--json"]).utf8)
                )
                let pid = Int32(clamping: try #require(reply.pid))
                try await eventually("it is stopped") {
                    if ProcessState.of(pid) != "T" { throw NotYet("\(pid) runs") }
                }

                // It holds 20 MB for 300 ms. Neither would be allowed otherwise.
                try await world.happen([("app", "hold20")])
                try await eventually {
                    let state = try await world.deliveries().last?.state
                    if state != .running { throw NotYet("\(String(describing: state))") }
                }
                kill(pid, SIGCONT)
                let all = try await world.finished(2)
                #expect(all.last?.state == .done && all.last?.attempt == 1, "\(all)")

                _ = try world.command(["app", "debug", "app", "--off"])
                try await eventually { if kill(pid, 0) == 0 { throw NotYet("\(pid) is there") } }
                try await world.happen([("app", "hold20")])
                #expect(try await world.finished(3).last?.state == .parked)
            }
        }

        @Test("After a debugged process has ended, callbacks run without the debugger")
        func gone() async throws {
            try await MonitorWorld.run { world in
                try await world.allow("app", try world.program())
                try await world.happen([("app", "note")])
                _ = try await world.finished(1)
                let text = try world.command(["app", "debug", "app"])
                #expect(text.contains("lldb -p ") && text.contains("--off"))
                let pid = try await eventually("it is stopped") {
                    let all = ProcessTable.processes(with: ExtensionEnvironment.host, prefix: world.endpoints)
                    guard let pid = all.first(where: { ProcessState.of($0) == "T" }) else {
                        throw NotYet("\(all)")
                    }
                    return pid
                }
                kill(pid, SIGKILL)
                try await eventually { if kill(pid, 0) == 0 { throw NotYet("\(pid) is there") } }
                try await world.happen([("app", "note")])

                #expect(try await world.finished(2).allSatisfy { $0.state == .done })
            }
        }
    }
}

extension MonitorSuite {
    @Suite("Commands for an app's callbacks")
    struct AppCommandTests {
        @Test("The app commands show the output and why a callback is parked, and retry it")
        func commands() async throws {
            try await MonitorWorld.run { world in
                try await world.allow("app", try world.program())
                try await world.happen([("app", "log"), ("app", "hold20")])
                _ = try await world.finished(2)

                let log = try world.command(["app", "log", "app"])
                #expect(log.contains("[own:test] a log line") && log.contains("[print] a printed line"))
                #expect(log.contains("[stderr] an error line") && log.contains("[host] The extension used"))
                let list = try world.command(["app", "deliveries", "app"])
                #expect(
                    list.contains("D2") && list.contains("parked") && list.contains("extension.over_memory")
                )
                #expect(list.contains("MB of 6 MB"))
                #expect(try world.command(["app", "retry", "D2"]).contains("Retrying D2"))
                try await eventually {
                    let view = try await world.deliveries().last
                    guard view?.state == .parked, view?.attempt == 2 else {
                        throw NotYet("\(String(describing: view))")
                    }
                }
            }
        }
    }
}
