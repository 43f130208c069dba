import Glibc
import STPlatform
import Testing

@Suite("Process memory")
struct ProcessMemoryTests {
    @Test("of this process is there and adds up")
    func ours() throws {
        let memory = try #require(ProcessMemory.sample(pid: getpid()))
        let now = SystemTimeSource().now().bootMs

        #expect(memory.pssBytes > 0)
        #expect(memory.rssBytes >= memory.pssBytes)
        #expect(memory.privateDirtyBytes > 0)
        #expect(memory.startedBootMs > 0)
        #expect(memory.startedBootMs <= now)
    }

    @Test("of a process that is gone is nil")
    func gone() throws {
        let child = try SpawnedProcess(SpawnPlan(executable: "/bin/true"))
        #expect(child.wait(deadlineMs: 10_000) == .exited(0))

        #expect(ProcessMemory.sample(pid: child.pid) == nil)
    }
}
