import Foundation
import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

/// An app in Services/developer-kit/examples, run as a user runs it.
struct ExampleApp {
    /// Exit status and output of the app's command.
    struct Ending {
        var status: Int32
        var output: String
    }

    private static let endMs: Int64 = 60_000

    let name: String
    let scratch: ScratchDirectory

    var bundle: String { BuiltTree.source("Services/developer-kit/examples/\(name)") }

    static func programs() throws -> String {
        let path = try ServicePrograms.path(.auth)
        return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    /// Installs and approves the app.
    static func approved(_ name: String, in system: TestSystem) async throws -> ExampleApp {
        let app = ExampleApp(name: name, scratch: system.scratch)
        try await system.approve(name, bundle: app.bundle, programs: try programs())
        return app
    }

    /// Runs the app's command. `typed` contains the input lines of the user.
    func run(
        _ words: [String] = [],
        typed: [String] = [],
        language: String = "C.UTF-8"
    ) async throws -> Ending {
        let input = scratch.file("typed")
        let output = scratch.file("said")
        try AtomicFile.write(Array(typed.map { $0 + "\n" }.joined().utf8), to: input, durable: false)
        let directories = scratch.directories
        let plan = SpawnPlan(
            executable: "/bin/sh",
            arguments: [
                "-c", "exec \"$0\" \"$@\" <'\(input)' >'\(output)' 2>&1",
                try BuiltTree.program(name),
            ] + words,
            environment: [
                "PATH": "/usr/bin:/bin", "TZ": "UTC", "LANG": language, "SCREENTIME_RUN": directories.run,
                "SCREENTIME_STATE": directories.state, "SCREENTIME_CONFIG": directories.config,
            ],
            hasLifeline: true
        )
        let process = try SpawnedProcess(plan)
        let status = try await eventually(within: .milliseconds(Self.endMs), "\(name) ends") {
            guard let status = process.reap() else { throw NotYet("it runs") }
            return status
        }
        guard case .exited(let code) = status else { throw NotYet("\(name) \(status)") }
        return Ending(status: code, output: ScratchDirectory.text(output))
    }

    /// Parsed output of `--json`.
    func report() async throws -> [String: Any] {
        let text = try await run(["--json"]).output
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        guard let report = value as? [String: Any] else { throw NotYet(text) }
        return report
    }
}

/// The example apps as real processes. The tests run one after the other because each one uses the whole machine.
@Suite("The example apps", .serialized)
enum ExampleAppSuite {}
