import STContracts
import STPlatform
import STTestSupport
import Testing

@Suite("Prompt of the real command")
struct PermissionPromptTests {
    private let system: CommandSystem
    private let terminal: PseudoTerminal

    init() throws {
        system = try CommandSystem()
        terminal = try PseudoTerminal()
    }

    /// Starts the command as a shell does: in a session with this controlling terminal, and with its output elsewhere.
    private func start(_ arguments: String...) throws -> RunningCommand {
        try RunningCommand(
            "/usr/bin/setsid",
            ["--ctty", "--wait", BuiltTree.programs + "/screentime"] + arguments,
            environment: system.environment,
            outputPath: system.scratch.file("prompt"),
            descriptors: [0: terminal.number]
        )
    }

    private func install(_ id: String) throws {
        let folder = system.scratch.file(id)
        try Directories.prepare(folder)
        let manifest = """
            {"id": "\(id)", "name": "The \(id)", "version": "1", "protocol": 1, "groups": [],
             "entitlements": ["family-controls"], "extensions": []}
            """
        try AtomicFile.write(Array(manifest.utf8), to: folder + "/manifest.json", durable: false)
        let result = try system.run("app", "install", folder)
        #expect(result.status == .exited(0), "\(result.output)")
        #expect(result.output.contains("screentime app access \(id) on"))
    }

    @Test("The command reads a passcode from /dev/tty, allows an app, and withdraws the permission")
    func allow() async throws {
        let up = try system.up("--only", "auth-service")
        let owner = AccountName.current
        try install("promise")

        let early = try start("app", "access", "promise", "on")
        #expect(early.wait() == .exited(1), "\(early.output)")
        #expect(early.output.contains("has no passcode"))
        #expect(early.output.contains("screentime member passcode \(owner)"))

        let passcode = try start("member", "passcode", owner)
        try await terminal.answer("New passcode for", "open sesame", isHidden: true)
        try await terminal.answer("Repeat the passcode:", "open sesame", isHidden: true)
        #expect(passcode.wait() == .exited(0), "\(passcode.output)")

        let access = try start("app", "access", "promise", "on")
        try await terminal.answer("[a] Allow", "a")
        try await terminal.answer("Passcode of \(owner):", "closed", isHidden: true)
        try await terminal.answer("Passcode of \(owner):", "open sesame", count: 2, isHidden: true)
        #expect(access.wait() == .exited(0), "\(access.output)")
        #expect(access.output == "promise may use Screen Time for \(owner).\n")
        #expect(terminal.hasEcho)
        #expect(!terminal.screen.contains("sesame"))

        let list = try system.run("app", "list")
        #expect(list.output.contains("promise") && list.output.contains(owner), "\(list.output)")
        let off = try system.run("app", "enforce", "promise", "off")
        #expect(off.output.contains("not enforced"), "\(off.output)")
        let denied = try system.run("app", "access", "promise", "off")
        #expect(denied.output == "promise is not allowed to use Screen Time for \(owner).\n")
        let shown = try system.run("member", "show")
        #expect(shown.output.contains("to allow The promise for \(owner)"), "\(shown.output)")
        #expect(shown.output.contains("activity-center"))
        _ = up
    }

    @Test("The status shows that a passcode was reset")
    func reset() async throws {
        let up = try system.up("--only", "auth-service")
        let owner = AccountName.current

        let reset = try start("member", "passcode", owner, "--reset")
        try await terminal.answer("New passcode for", "open sesame", isHidden: true)
        try await terminal.answer("Repeat the passcode:", "open sesame", isHidden: true)

        // Only root may do this, and these tests may or may not run as root.
        let status = try system.run("status")
        if reset.wait() == .exited(0) {
            let later = try system.run("status")
            #expect(later.output.contains("reset the passcode of \(owner)"), "\(later.output)")
        } else {
            #expect(reset.output.contains("sudo"))
            #expect(!status.output.contains("reset the passcode"))
        }
        _ = up
    }
}
