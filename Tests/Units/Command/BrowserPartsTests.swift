import STCommandKit
import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

@Suite("What browsers have of ours, beside a person's own")
struct BrowserPartsTests {
    @Test("Adding and changing Screen Time's lines in a Firefox user.js keeps all other bytes")
    func settings() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let path = scratch.file("user.js")
        // Also an empty line, one that is not UTF-8, and none at the end.
        let own = Array("user_pref(\"a\", 1);\n\n// caf".utf8) + [0xE9] + Array("\nlast".utf8)
        try AtomicFile.write(own, to: path)
        for ours in [["one", "two"], ["three"], ["one"], []] {
            try BrowserIntegration.reconcile(path, ours)
            let lines = ours.map { "\($0) // Screen Time\n" }.joined()
            #expect(try AtomicFile.read(path, limitBytes: 10_000) == own + Array(("\n" + lines).utf8))
        }
    }

    @Test("`browser list` reports an extension of another version and prints the command that enables this")
    func old() async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        for (folder, name) in [("bin", "chromium"), (".config/chromium/NativeMessagingHosts", host)] {
            try FileTree.makeFolder(scratch.file(folder))
            try scratch.write("", to: "\(folder)/\(name)", mode: 0o755)
        }
        let (code, output) = await CommandOutput.run(
            ["browser", "list"],
            in: scratch.path,
            home: scratch.path
        )
        #expect(code == .done)
        #expect(output.standard.contains("Chromium  has the extension of another version of Screen Time\n"))
        #expect(output.standard.contains("browser enable chromium"))
    }

    private let host = "dev.screentime.browser.json"

    @Test("A Firefox user.js that is too large to read causes an error and is not changed")
    func unreadable() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let path = scratch.file("user.js")
        let own = [UInt8](repeating: 0x20, count: 5 << 20)
        try AtomicFile.write(own, to: path)
        #expect(throws: Problem.self) { try BrowserIntegration.reconcile(path, ["one"]) }
        #expect(try AtomicFile.read(path, limitBytes: 10 << 20) == own)
    }
}
