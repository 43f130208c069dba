import Glibc
import STDesktopKit
import STPlatform
import STScreen
import STTestSupport
import Testing

@Suite("Idle session watch", .enabled(if: LogindMock.isAvailable, "needs python3-dbusmock"))
struct WakeUpTests {
    @Test("An idle session watch does not wake for three seconds")
    func sleeps() async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let buses = try DBusPair(scratch)
        defer { buses.stop() }
        let logind = try await LogindMock(buses.system, scratch)
        defer { logind.kill() }
        try await logind.addSession("c2", uid: 1_000, pid: getpid())
        let film = try await MprisPlayer(buses.session, scratch, name: "films", status: "Playing")
        defer { film.kill() }
        let before = Self.threads()
        let bench = try SessionBench(scratch, buses.environment)
        await bench.watch.start()
        try await eventually { guard bench.playing.count == 1 else { throw NotYet("not yet") } }
        let mine = Self.threads().subtracting(before).filter {
            Self.name($0) == "dbus" || Self.name($0) == "session"
        }
        #expect(mine.count >= 4)
        // The work after the start ends, and so do other tests' threads of these names. A thread that polls is never quiet.
        try await eventually(within: .seconds(120), "three seconds without a wake-up") {
            let first = mine.map(Self.wakeUps)
            try await Task.sleep(for: .seconds(3))
            let woken = zip(mine.map(Self.wakeUps), first).map { max(0, $0 - $1) }.reduce(0, +)
            print("SessionWatch woke up \(woken) times in 3 s over \(mine.count) threads")
            guard woken == 0 else { throw NotYet("\(woken)") }
        }
        await bench.stop()
    }

    private static func threads() -> Set<String> {
        Set((try? DirectoryTree.names(in: "/proc/self/task")) ?? [])
    }

    private static func name(_ thread: String) -> String {
        String(ScratchDirectory.text("/proc/self/task/\(thread)/comm").dropLast())
    }

    /// Returns the number of times that the thread has gone to sleep.
    private static func wakeUps(_ thread: String) -> Int {
        let status = ScratchDirectory.text("/proc/self/task/\(thread)/status")
        let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
        return line.flatMap { Int($0.drop { !$0.isNumber }) } ?? 0
    }
}
