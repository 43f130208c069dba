import Glibc
import Testing

@testable import STPlatform

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

@Suite("How much memory of its own a process uses")
struct MemoryGaugeTests {
    private func own(_ dirty: Int64, _ anonymous: Int64, swap: Int64 = 0, shared: Int64 = 0) -> Int64 {
        let text = """
            55d0c0000000-7ffd00000000 ---p 00000000 00:00 0    [rollup]
            Rss:               99999 kB
            Private_Clean:     40000 kB
            Private_Dirty:     \(dirty) kB
            Anonymous:         \(anonymous) kB
            Swap:              \(swap) kB
            SwapPss:           7 kB
            """
        return MemoryGauge.ownBytes(rollup: Array(text.utf8), shared: shared * 1024) / 1024
    }

    @Test("what it wrote counts, swapped out or not")
    func written() {
        #expect(own(2_700, 2_700) == 2_700)
        #expect(own(2_700, 2_700, swap: 300) == 3_000)
    }

    @Test("pages of a program that was linked a moment ago do not count: it has only read them")
    func freshProgram() {
        #expect(own(11_000, 2_700) == 2_700)
    }

    @Test("memory without a file counts, also when it could be shared")
    func sharedMemory() {
        #expect(own(22_700, 2_700, shared: 20_000) == 22_700)
    }
}
