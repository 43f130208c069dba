import Foundation
import STPlatform
import STTestSupport

/// External programs that check rendered documents.
struct TestProgram {
    /// Debian's Python. Another one may lack its modules.
    static let python = "/usr/bin/python3"
    static let chromium = "/usr/bin/chromium"
    /// Installed by `scripts/setup.sh --test`.
    static let axe = BuiltTree.source(".build/axe/axe.min.js")

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    static var canCheckHTML: Bool { exists(python) && exists("/usr/lib/python3/dist-packages/html5lib") }
    static var canBrowse: Bool { exists(chromium) && exists(axe) }

    /// The policy allows no other script, so it is removed for scripts of tests.
    static func withoutPolicy(_ document: String) -> String {
        guard let start = document.range(of: "<meta http-equiv=\"Content-Security-Policy\""),
            let end = document.range(of: ">", range: start.upperBound..<document.endIndex)
        else { return document }
        var open = document
        open.removeSubrange(start.lowerBound..<end.upperBound)
        return open
    }

    /// Exit status and output.
    static func run(_ path: String, _ arguments: [String], in scratch: ScratchDirectory) throws -> (
        status: Int32, output: String
    ) {
        let out = scratch.file("output-\(UUID().uuidString)")
        try Data().write(to: URL(filePath: out))
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = ["HOME": scratch.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
        process.standardOutput = FileHandle(forWritingAtPath: out)
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let isDone = comesTrue(within: .seconds(400)) { !process.isRunning }
        if !isDone { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        return (isDone ? process.terminationStatus : -1, try String(contentsOfFile: out, encoding: .utf8))
    }

    /// The document in Chromium after its scripts have run.
    static func browse(_ document: String, in scratch: ScratchDirectory) throws -> String {
        let name = UUID().uuidString
        let path = scratch.file(name + ".html")
        try document.write(toFile: path, atomically: true, encoding: .utf8)
        return try run(
            chromium,
            [
                // A busy machine may take minutes instead of seconds.
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--disable-background-networking", "--window-size=800,1200", "--virtual-time-budget=20000",
                "--user-data-dir=\(scratch.file("browser-" + name))", "--dump-dom", "file://\(path)",
            ],
            in: scratch
        ).output
    }
}
