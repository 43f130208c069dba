import Glibc
import Testing

@testable import STPlatform

@Suite("Process memory")
struct ProcessMemoryTests {
    @Test("A memory sample of this process has positive values and a start time that is not in the future")
    func ours() throws {
        let memory = try #require(ProcessMemory.sample(pid: getpid()))
        let now = SystemTimeSource().now().bootMs

        #expect(memory.pssBytes > 0)
        #expect(memory.rssBytes >= memory.pssBytes)
        #expect(memory.privateDirtyBytes > 0)
        #expect(memory.startedBootMs > 0)
        #expect(memory.startedBootMs <= now)
    }

    @Test("The memory sample of a process that has ended is nil")
    func gone() throws {
        let child = try SpawnedProcess(SpawnPlan(executable: "/bin/true"))
        #expect(child.wait(deadlineMs: 10_000) == .exited(0))

        #expect(ProcessMemory.sample(pid: child.pid) == nil)
    }
}

@Suite("Private memory of a process")
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

    @Test("Memory that a process has written counts as private, including its swapped part")
    func written() {
        #expect(own(2_700, 2_700) == 2_700)
        #expect(own(2_700, 2_700, swap: 300) == 3_000)
    }

    @Test("Dirty pages of a newly linked program's file do not count as private memory")
    func freshProgram() {
        #expect(own(11_000, 2_700) == 2_700)
    }

    @Test("Shared memory without a file counts as private memory")
    func sharedMemory() {
        #expect(own(22_700, 2_700, shared: 20_000) == 22_700)
    }
}
