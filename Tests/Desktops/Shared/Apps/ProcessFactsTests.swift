import Glibc
import STContracts
import STDesktop
import STPlatform
import STTestSupport
import Testing

@Suite("Facts of a process in /proc")
struct ProcessFactsTests {
    private func start(_ path: String, arguments: [String], environment: [String: String] = [:]) throws
        -> SpawnedProcess
    {
        try SpawnedProcess(SpawnPlan(executable: path, arguments: arguments, environment: environment))
    }

    private func end(_ process: SpawnedProcess) {
        process.signal(SIGKILL)
        _ = process.wait(deadlineMs: 20_000)
    }

    private func facts(_ pid: Int32, _ is: @escaping (ProcessFacts) -> Bool) async throws -> ProcessFacts {
        var last = ProcessFacts()
        // Until it has become the requested program.
        try await eventually(within: .seconds(20), "the process is read") {
            last = ProcessFacts.read(pid: pid)
            guard `is`(last) else { throw NotYet("\(last)") }
        }
        return last
    }

    @Test("A process has its executable and arguments, and is marked when its file is deleted")
    func real() async throws {
        let scratch = try ScratchDirectory()
        let bytes = try AtomicFile.read("/bin/sleep", limitBytes: 10 << 20)
        try AtomicFile.write(bytes, to: scratch.file("my-sleep"), mode: 0o755, durable: false)
        let process = try start(scratch.file("my-sleep"), arguments: ["60"])
        defer { end(process) }
        let pid = process.pid

        let known = try await facts(pid) {
            $0.executable?.hasSuffix("my-sleep") == true && $0.arguments.count == 2
        }
        #expect(known.arguments.last == "60" && !known.isDeleted && known.flatpak == nil, "\(known)")
        #expect(unlink(scratch.file("my-sleep")) == 0)
        let gone = ProcessFacts.read(pid: pid)
        #expect(gone.isDeleted && gone.executable == known.executable)
    }

    @Test(
        "A Steam game is identified by its environment, and an AppImage path that does not match is ignored"
    )
    func environment() async throws {
        let scratch = try ScratchDirectory(inMemory: false)
        let folder = scratch.file("steamapps/common")
        try Directories.prepare(folder)
        let bytes = try AtomicFile.read("/bin/sleep", limitBytes: 10 << 20)
        try AtomicFile.write(bytes, to: "\(folder)/game", mode: 0o755, durable: false)
        let process = try start(
            "\(folder)/game",
            arguments: ["60"],
            environment: ["SteamAppId": "220", "APPIMAGE": "/x.AppImage"]
        )
        defer { end(process) }

        let known = try await facts(process.pid) {
            $0.executable?.hasSuffix("game") == true && $0.steamGame != nil
        }
        #expect(known.steamGame == "220" && known.appImage == nil)
    }

    @Test("A process ID without a process yields no facts", arguments: [Int32.max, 0, -1])
    func none(pid: Int32) {
        #expect(ProcessFacts.read(pid: pid).isEmpty)
    }

    @Test("A window is resolved to an app by the executable of its process")
    func resolved() async throws {
        let shelf = try AppShelf()
        try shelf.system(id: "org.example.Sleep", exec: "sleep 60")
        let process = try start("/bin/sleep", arguments: ["60"])
        defer { end(process) }
        _ = try await facts(process.pid) { $0.executable?.hasSuffix("sleep") == true }

        let app = AppResolver(shelf.read()).identity(of: .init(id: .init("x11:0x1"), pid: process.pid))
        #expect(app.id == "org.example.Sleep" && app.clue == .executable, "\(app.steps)")
    }
}
