import Glibc
import STExtensions
import STPlatform
import STTestKit
import STTestSupport
import Testing

@Suite("An extension under a debugger")
struct DebugTests {
    @Test("An extension under a debugger starts stopped and has no limits until debugging ends")
    func debug() async throws {
        let desk = try Desk {
            $0.startTimeout = .milliseconds(50)
            $0.callTimeout = .milliseconds(50)
            $0.keepWarm = .milliseconds(50)
        }
        let spec = try desk.spec()
        let pid = try await desk.host.debug(spec)
        try await eventually("it is stopped") {
            if ProcessState.of(pid) != "T" { throw NotYet("\(pid) runs") }
        }
        async let waiting = desk.call("hold20", spec)
        kill(pid, SIGCONT)
        let outcome = try await waiting

        #expect(outcome.problem == nil)
        #expect(outcome.durationMs >= 300)
        #expect(try await desk.host.debug(spec) == pid)
        #expect(try await desk.host.endDebugging(spec))
        try await eventually { if Desk.exists(pid) { throw NotYet("\(pid) is there") } }
        #expect(try await desk.host.endDebugging(spec) == false)
        let next = try await desk.call("note", spec)
        // The limits are back. Their enforcement depends on the machine.
        #expect(next.isCold)
        await desk.stop()
    }
}
