import Glibc
import STPlatform
import STTestSupport
import Testing

@Suite("Instance locks")
struct InstanceLockTests {
    @Test("A second instance is rejected with the holder's process id until the lock is released")
    func exclusive() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("lock")
        var first: InstanceLock? = try InstanceLock(path: path, what: "the notifier")

        let problem = #expect(throws: Problem.self) { try InstanceLock(path: path, what: "the notifier") }
        #expect(problem?.code == "instance.already_running")
        #expect(problem?.details["pid"] == String(getpid()))
        #expect(problem?.message.contains("the notifier is already running as process \(getpid())") == true)
        #expect(first != nil)

        first = nil
        _ = try InstanceLock(path: path, what: "the notifier")
    }

    @Test("An instance lock is free after its release although a child process still runs")
    func closedOnExec() throws {
        let scratch = try ScratchDirectory()
        var lock: InstanceLock? = try InstanceLock(path: scratch.file("lock"), what: "it")
        let child = try SpawnedProcess(SpawnPlan(executable: "/bin/sleep", arguments: ["60"]))
        #expect(lock != nil)

        lock = nil
        _ = try InstanceLock(path: scratch.file("lock"), what: "it")

        child.signal(SIGKILL)
        #expect(child.wait(deadlineMs: 10_000) == .signaled(SIGKILL))
    }
}
