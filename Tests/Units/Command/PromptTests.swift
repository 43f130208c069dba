import STCommandCore
import STCommandKit
import STContracts
import STPlatform
import STTestSupport
import Synchronization
import Testing

@Suite("Asking a person at the terminal")
struct PromptTests {
    private let scratch: ScratchDirectory
    private let terminal: PseudoTerminal

    init() throws {
        scratch = try ScratchDirectory()
        terminal = try PseudoTerminal()
    }

    /// Runs the command with a person at the keyboard.
    private func run(
        _ line: [String],
        _ desk: PromptDesk = PromptDesk(),
        keyboard: String? = nil,
        typing: @escaping @Sendable (PseudoTerminal) async throws -> Void = { _ in }
    ) async throws -> (code: ExitCode, output: CommandOutput) {
        let path = scratch.path
        let service = try FakeService(.auth, answeringBodies: { try desk.answer($0, $1) })
        try await service.start(Directories(run: path, state: path, config: path))
        async let result = CommandOutput.run(line, in: path, keyboard: keyboard ?? terminal.path)
        do {
            try await typing(terminal)
        } catch {
            // Whether it waits for a key or an answer, it is interrupted.
            terminal.type("\u{3}")
            _ = await result
            await service.stop()
            throw error
        }
        let (code, output) = await result
        await service.stop()
        #expect(terminal.hasEcho)
        return (code, output)
    }

    private let access = ["app", "access", "promise", "on", "--member", "kid"]

    @Test("A permission prompt shows the app and its reasons, and does not show the passcode")
    func allow() async throws {
        let desk = PromptDesk()
        let (code, output) = try await run(access, desk) {
            try await $0.answer("[a] Allow", "a")
            try await $0.answer("Passcode of guardian:", "right", isHidden: true)
        }

        #expect(code == .done)
        #expect(output.standard == "promise may use Screen Time for kid.\n")
        let screen = terminal.screen
        #expect(screen.contains("“The Promise” (promise) would like to use Screen Time for kid."))
        #expect(screen.contains("- See how long things are used."))
        #expect(screen.contains("guardian can decide until"))
        #expect(!screen.contains("right"))
        #expect(!(output.standard + output.error).contains("right"))
        #expect(desk.bodies.contains { $0.contains("\"scope\":\"child\"") && $0.contains("\"again\":true") })
    }

    @Test("Denying access to an app requires no passcode")
    func deny() async throws {
        let (code, output) = try await run(access) {
            try await $0.answer("[a] Allow", "what?")
            try await $0.answer("Type a or d.", "d")
        }

        #expect(code == .no)
        #expect(output.standard == "promise is not allowed to use Screen Time for kid.\n")
        #expect(!terminal.screen.contains("Passcode"))
    }

    @Test("The prompt for a passcode repeats after a wrong one until the service reports a pause")
    func wrong() async throws {
        let (code, output) = try await run(access) {
            try await $0.answer("[a] Allow", "allow")
            try await $0.answer("Passcode of guardian:", "wrong", isHidden: true)
            try await $0.answer(
                "Passcode of guardian:",
                "wrang\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}locked",
                count: 2,
                isHidden: true
            )
        }

        #expect(code == .notAllowed)
        #expect(terminal.screen.contains("Wrong, 4 left."))
        #expect(output.error.contains("Wrong, and a pause."))
        #expect(output.standard.isEmpty)
    }

    @Test("With several guardians, the prompt requires a choice unless --by names one")
    func guardians() async throws {
        let desk = PromptDesk(guardians: ["guardian", "second"])
        let (code, _) = try await run(access, desk) {
            try await $0.answer("[a] Allow", "a")
            try await $0.answer("Whose passcode (guardian, second)?", "second")
            try await $0.answer("Passcode of second:", "right", isHidden: true)
        }
        #expect(code == .done)

        let named = try await run(access + ["--by", "guardian"], desk) {
            try await $0.answer("[a] Allow", "a", count: 2)
            try await $0.answer("Passcode of guardian:", "right", isHidden: true)
        }
        #expect(named.code == .done)
    }

    @Test("`app access --request` answers an existing request and rejects the name of another app")
    func request() async throws {
        let desk = PromptDesk()
        let (code, _) = try await run(["app", "access", "promise", "on", "--request", "Q1"], desk) {
            try await $0.answer("[a] Allow", "a")
            try await $0.answer("Passcode of guardian:", "right", isHidden: true)
        }
        #expect(code == .done)
        #expect(desk.asked.withLock { !$0.contains { $0.route == AuthRequest.name } })

        let other = try await run(["app", "access", "streaks", "on", "--request", "Q1"], desk)
        #expect(other.code == .usage)
        #expect(other.output.error.contains("screentime app access promise on --request Q1"))
    }

    @Test(
        "Ctrl-C and Ctrl-D at the passcode prompt restore the terminal and change nothing",
        arguments: ["\u{3}", "\u{4}"]
    )
    func interrupted(key: String) async throws {
        let desk = PromptDesk()
        let (code, output) = try await run(access, desk) {
            try await $0.answer("[a] Allow", "a")
            try await $0.answer("Passcode of guardian:", key, isHidden: true)
        }

        #expect(code == .no)
        #expect(output.error.lowercased().contains("nothing was changed"))
        #expect(desk.bodies.allSatisfy { !$0.contains("passcode") })
    }

    @Test(
        "`app access` without a terminal exits with code 1 and an explanation",
        arguments: ["/dev/null", "/nowhere"]
    )
    func noTerminal(path: String) async throws {
        let (code, output) = try await run(access, keyboard: path)

        #expect(code == .no)
        #expect(output.error.contains("there is no terminal"))
    }

    @Test("`app access` with off prompts for a passcode if the service requires one")
    func off() async throws {
        let (code, output) = try await run(["app", "access", "promise", "off", "--member", "kid"]) {
            try await $0.answer("Passcode of guardian:", "right", isHidden: true)
        }

        #expect(code == .done)
        #expect(output.standard == "promise is not allowed to use Screen Time for kid.\n")
    }

    @Test("A new passcode is typed twice and confirmed with the guardian's passcode")
    func passcode() async throws {
        let desk = PromptDesk()
        let (code, output) = try await run(["member", "passcode", "kid"], desk) {
            try await $0.answer("New passcode for kid", "fresh one", isHidden: true)
            try await $0.answer("Repeat the passcode:", "fresh one", isHidden: true)
            try await $0.answer("Passcode of guardian:", "right", isHidden: true)
        }

        #expect(code == .done)
        #expect(output.standard == "kid has a new passcode.\n")
        #expect(!terminal.screen.contains("fresh"))
        #expect(desk.bodies.last?.contains("\"passcode\":\"fresh one\"") == true)
        #expect(desk.bodies.last?.contains("\"proof\":\"right\"") == true)
    }

    @Test("A new passcode that is repeated differently is rejected and not sent")
    func notTheSame() async throws {
        let desk = PromptDesk()
        let (code, output) = try await run(["member", "passcode", "kid"], desk) {
            try await $0.answer("New passcode for kid", "fresh one", isHidden: true)
            try await $0.answer("Repeat the passcode:", "fresh two", isHidden: true)
        }

        #expect(code == .no)
        #expect(output.error.contains("do not match"))
        #expect(desk.asked.withLock { !$0.contains { $0.route == MemberPasscode.name } })
    }

    @Test(
        "`app access` and `app enforce` reject invalid arguments with an explanation",
        arguments: [
            (["app", "access", "on", "promise"], "screentime app access promise on"),
            (["app", "access", "promise", "maybe"], "neither on nor off"),
            (["app", "enforce", "off"], "screentime app enforce APP off"),
        ]
    )
    func onOff(line: [String], expected: String) async throws {
        let (code, output) = try await run(line)

        #expect(code == .usage)
        #expect(output.error.contains(expected))
    }
}
