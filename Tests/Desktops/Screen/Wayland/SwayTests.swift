import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@Suite("Sway instance for tests") struct SwayTests {
    @Test("A sway instance for tests runs real programs, and its process ends")
    func realProgramsRunOnIt() throws {
        let sway = try Sway { $0.scale = 2 }
        defer { sway.end() }
        try sway.run("/usr/bin/foot", ["--app-id", "first", "cat"])
        #expect(
            comesTrue { try sway.output("/usr/bin/swaymsg", ["-r", "-t", "get_tree"]).contains("\"first\"") }
        )
        let picture = try sway.picture("all")
        #expect(try sway.output("/usr/bin/identify", ["-format", "%wx%h", picture]) == "1280x720")
        let pid = sway.process.pid
        sway.end()
        #expect(OtherProcess(pid: pid) == nil)
    }

    @Test(
        "The code of each Wayland protocol equals the output of wayland-scanner",
        arguments: [("Shared/Base/C/Screen", 8), ("Tests/Programs/Desktop/Protocols", 4)]
    )
    func protocolsAreAsTheScannerMakesThem(path: String, count: Int) throws {
        let scratch = try ScratchDirectory()
        let folder = BuiltTree.source(path)
        let names = try DirectoryTree.names(in: "\(folder)/Protocols").filter { $0.hasSuffix(".xml") }
        #expect(names.count == count)
        for name in names {
            let stem = name.dropLast(4)
            for (form, result) in [("private-code", "\(stem).c"), ("client-header", "include/\(stem).h")] {
                let made = scratch.file("made")
                let scanner = try SpawnedProcess(
                    SpawnPlan(
                        executable: "/usr/bin/wayland-scanner",
                        arguments: [form, "\(folder)/Protocols/\(name)", made],
                        environment: ["PATH": "/usr/bin:/bin"]
                    )
                )
                #expect(scanner.wait(deadlineMs: 30_000) == .exited(0))
                let kept = try AtomicFile.read("\(folder)/\(result)", limitBytes: 1 << 20)
                #expect(try AtomicFile.read(made, limitBytes: 1 << 20) == kept, "\(result)")
            }
        }
    }
}
