import Glibc
import STContracts
import STDomain
import STPlatform
import STTestSupport
import Testing

@testable import STDesktop

@Suite("Programs that a child can change")
struct AcceptedProgramsTests {
    private static let window = DesktopWindow(id: WindowID("x11:0x1"), windowClass: "firefox-esr", pid: 4_242)

    private static func app(_ facts: ProcessFacts, _ accepted: String = "") -> AppIdentity {
        var resolver = AppResolver(AppCatalogue())
        resolver.accepted = AcceptedPrograms(accepted)
        return resolver.identity(of: window, process: facts)
    }

    /// Waits until the process runs the requested program, and returns its facts from /proc.
    private static func facts(_ path: String, _ arguments: [String]) async throws -> ProcessFacts {
        let process = try SpawnedProcess(SpawnPlan(executable: path, arguments: arguments, environment: [:]))
        defer {
            process.signal(SIGKILL)
            _ = process.wait(deadlineMs: 20_000)
        }
        var facts = ProcessFacts()
        try await eventually(within: .seconds(20), "the process runs its program") {
            facts = ProcessFacts.read(pid: process.pid)
            let name = ProgramName.base(DirectoryTree.real(path) ?? path)
            guard facts.executable.map(ProgramName.base) == name, facts.arguments.count == arguments.count + 1
            else { throw NotYet("\(facts)") }
        }
        return facts
    }

    @Test(
        "An installed program keeps its name, and an interpreter without a script file counts as replaceable"
    )
    func system() async throws {
        let sleep = try await Self.facts("/bin/sleep", ["60"])
        #expect(!sleep.isReplaceable)
        #expect(Self.app(sleep).unknownProgram == nil)
        let script = try await Self.facts("/usr/bin/perl", ["-e", "sleep 60"])
        #expect(script.isReplaceable, "a script on the command line cannot be verified")
    }

    @Test("A copy of an installed program that is not in the catalogue counts as the unknown program")
    func copy() async throws {
        let scratch = try ScratchDirectory()
        let bytes = try AtomicFile.read("/bin/sleep", limitBytes: 10 << 20)
        let path = try #require(DirectoryTree.real(scratch.path)) + "/firefox-esr"
        try AtomicFile.write(bytes, to: path, mode: 0o755, durable: false)
        let facts = try await Self.facts(path, ["60"])
        #expect(facts.isReplaceable)
        let app = Self.app(facts)
        #expect(app.id == UsageObserve.unknownProgram && app.unknownProgram == path && app.name == nil)
        #expect(app.steps.last?.english.contains("can change “\(path)”") == true, "\(app.steps)")

        for accepted in [path, scratch.path, "/nowhere\n\(scratch.path)/\n"] {
            #expect(Self.app(facts, accepted).id == "firefox-esr", "\(accepted)")
        }
        for other in [
            "", "/", path + "2", String(path.dropLast()), "firefox-esr", ProgramName.folder(path) + "2",
        ] {
            #expect(Self.app(facts, other).id == UsageObserve.unknownProgram, "\(other)")
        }
    }

    @Test("An exact copy of an app's program counts as that app, and a changed copy does not")
    func original() async throws {
        let shelf = try AppShelf()
        try shelf.system(id: "org.example.Nap", exec: "sleep --nap")
        try shelf.system(id: "org.example.Sleep", exec: "sleep 60")
        var resolver = AppResolver(shelf.read())
        resolver.accepted = AcceptedPrograms()
        let scratch = try ScratchDirectory()
        let bytes = try AtomicFile.read("/bin/sleep", limitBytes: 10 << 20)
        for (name, end, id) in [
            ("copy", [], "org.example.Sleep"), ("changed", [0], UsageObserve.unknownProgram),
        ] as [(String, [UInt8], String)] {
            try AtomicFile.write(bytes + end, to: scratch.file(name), mode: 0o755, durable: false)
            let process = try SpawnedProcess(
                SpawnPlan(executable: scratch.file(name), arguments: ["60"], environment: [:])
            )
            defer {
                process.signal(SIGKILL)
                _ = process.wait(deadlineMs: 20_000)
            }
            var window = DesktopWindow(id: WindowID("x11:0x1"), windowClass: "homework")
            window.pid = process.pid
            let app = try await eventually(within: .seconds(20), "the process runs \(name)") {
                let app = resolver.identity(of: window)
                guard app.id == id else { throw NotYet("\(app.steps)") }
                return app
            }
            #expect((app.unknownProgram == nil) == end.isEmpty)
        }
    }

    @Test(
        "A script that the account owns counts as the unknown program, and an accepted script keeps its name"
    )
    func script() async throws {
        let scratch = try ScratchDirectory()
        let path = try #require(DirectoryTree.real(scratch.path)) + "/game.pl"
        try AtomicFile.write(Array("sleep 60".utf8), to: path, durable: false)
        let facts = try await Self.facts("/usr/bin/perl", [path])
        #expect(Self.app(facts).unknownProgram == path)
        #expect(Self.app(facts, path).id == "firefox-esr")
    }

    @Test("A process that hides its program counts as the unknown program")
    func hidden() {
        let app = Self.app(ProcessFacts(arguments: ["firefox-esr"]))
        #expect(app.id == UsageObserve.unknownProgram && app.unknownProgram?.isEmpty == true)
    }
}
