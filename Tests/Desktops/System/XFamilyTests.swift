import Glibc
import STContracts
import STDesktopKit
import STPlatform
import STTestKit
import STTestSupport
import Testing

/// The part of the family guide about a child's own account, typed line by line on a real X display.
@Suite("A family on a real X display", .serialized)
struct XFamilyTests {
    private static let passcode = "open sesame"

    /// Returns the lines of the part about children in the guide for families, without their comments.
    private static func lines() throws -> [String] {
        let text = ScratchDirectory.text(BuiltTree.root + "/deploy/guide/family.md")
        let part = try #require(text.split(separator: "## For a child").last)
        let block = try #require(part.split(separator: "```").dropFirst().first)
        return block.split(separator: "\n").dropFirst().map { line in
            line.prefix { $0 != "#" }.split(separator: " ").joined(separator: " ")
        }
    }

    @Test(
        "The guide's commands make the account's owner a child, whose limit applies and whose guardian lifts it"
    )
    func readme() async throws {
        #expect(
            try Self.lines() == [
                "scripts/screentime setup", "scripts/screentime limit add mousepad 20s --then shield",
                "scripts/screentime member list", "scripts/screentime rule pause mousepad --for 1h",
                "scripts/screentime history",
            ]
        )
        let scratch = try ScratchDirectory()
        try scratch.write("", to: "note.txt")
        try await XHouse.run(isDemo: false) { house in
            let child = AccountName.current
            let editor = try await house.editor(scratch.file("note.txt"))
            try await setUp(house, scratch)
            let added = try typed(house, "limit", "add", "mousepad", "20s", "--then", "shield")
            #expect(added.code == 0, "\(added.text)")
            let list = try typed(house, "member", "list")
            #expect(list.flat.contains("\(child) child \(child), owner of this account"), "\(list.text)")
            #expect(list.flat.contains("parent guardian none"), "\(list.text)")

            try house.touch()
            _ = try await house.reaches(.paused, XHouse.mousepad, within: .seconds(60))
            try house.keepPicture("family-1-shield")

            let alone = try typed(house, "rule", "pause", "mousepad", "--for", "1h")
            #expect(alone.code != 0 && alone.flat.contains("there is no terminal"), "\(alone.text)")
            #expect(try await house.shield(XHouse.mousepad) != nil)
            let pause = try Spoken(house, scratch: scratch, words: "rule", "pause", "mousepad", "--for", "1h")
            try await pause.terminal.answer("Passcode of parent:", "a guess", isHidden: true)
            try await pause.terminal.answer("Passcode of parent:", Self.passcode, count: 2, isHidden: true)
            #expect(pause.code == 0, "\(pause.text)")
            try await house.isLifted(XHouse.mousepad)
            try house.runs(editor.pid)

            let history = try typed(house, "history")
            #expect(
                history.flat.contains(
                    "changed from “individual, account \(child)” to “child, account \(child)”"
                ),
                "\(history.text)"
            )
            #expect(history.flat.contains("By parent."), "\(history.text)")
            #expect(try await seconds(house, of: child) >= 20)
        }
    }

    @Test(
        "Giving the account to another child while an app is in use loses no time and counts none twice"
    )
    func handedOver() async throws {
        let scratch = try ScratchDirectory()
        try scratch.write("", to: "note.txt")
        try await XHouse.run(isDemo: false) { house in
            let first = AccountName.current
            _ = try await house.editor(scratch.file("note.txt"))
            try house.touch()
            try await eventually(within: .seconds(30), "the first person's time counts") {
                guard try await seconds(house, of: first) >= 2 else { throw NotYet("less than 2 s") }
            }
            #expect(try typed(house, "member", "add", "lena", "--role", "child").code == 0)
            let taken = try typed(house, "member", "account", "lena", first)
            #expect(taken.flat.contains("Each person needs a separate account"), "\(taken.text)")
            #expect(try typed(house, "member", "account", first, "--none").code == 0)
            let given = try typed(house, "member", "account", "lena", first)
            #expect(given.flat.contains("Usage of this account counts for lena."), "\(given.text)")
            #expect(given.flat.contains("No guardian has a passcode yet"), "\(given.text)")

            try await eventually(within: .seconds(30), "lena's time counts") {
                try house.touch()
                guard try await seconds(house, of: "lena") >= 2 else { throw NotYet("less than 2 s") }
            }
            let rows = try await house.ledger().sorted { $0.startBootMs < $1.startBootMs }
            for (one, next) in zip(rows, rows.dropFirst()) {
                #expect(one.endBootMs <= next.startBootMs + 5, "\(one) and \(next)")
                #expect(one.endBootMs >= next.startBootMs - 1_000, "\(one) and \(next)")
            }
            #expect(rows.last?.member == "lena")

            let here = try typed(house, "member", "remove", "lena", "--yes")
            #expect(here.code != 0 && here.flat.contains("before you remove"), "\(here.text)")
            let limit = try typed(house, "limit", "add", "mousepad", "1h", "--member", first)
            #expect(limit.code == 0, "\(limit.text)")
            let goes = try Spoken(house, scratch: scratch, words: "member", "remove", first)
            try await goes.terminal.answer("Type yes to continue:", "yes")
            #expect(goes.terminal.screen.contains("1 rule (mousepad)"), "\(goes.terminal.screen)")
            #expect(goes.code == 0, "\(goes.text)")
            try await eventually("the rule is gone") {
                let rules = try await house.ask(RuleList.self, .init()).rules
                if !rules.isEmpty { throw NotYet("\(rules)") }
            }
            try await eventually("the recorded usage is deleted") {
                let forgotten = try typed(
                    house,
                    "data",
                    "forget",
                    "--member",
                    first,
                    "--from",
                    "2000-01-01",
                    "--to",
                    "now",
                    "--yes"
                )
                guard forgotten.code == 0 else { throw NotYet(forgotten.text) }
            }
            #expect(try await seconds(house, of: first) == 0)
            #expect(try await seconds(house, of: "lena") >= 2)
        }
    }

    // MARK: - What the tests do

    private func setUp(_ house: XHouse, _ scratch: ScratchDirectory) async throws {
        let setup = try Spoken(house, scratch: scratch, words: "setup")
        let terminal = setup.terminal
        try await terminal.answer("1, 2 or 3 [1]:", "2")
        try await terminal.answer("Name of the guardian or teacher of", AccountName.current)
        try await terminal.answer("Name of the guardian or teacher of", "parent", count: 2)
        try await terminal.answer("New passcode for parent", Self.passcode, isHidden: true)
        try await terminal.answer("Repeat the passcode:", Self.passcode, isHidden: true)
        try await terminal.answer("[1h]:", "soon")
        try await terminal.answer("[1h]:", "50m", count: 2)
        try await terminal.answer("[1h30m]:", "")
        try await terminal.answer("[20:00-07:00]:", "no")
        try await terminal.answer("Start Screen Time at every login?", "no")
        #expect(setup.code == 0, "\(terminal.screen)\n\(setup.text)")
        let screen = terminal.screen
        #expect(
            screen.contains(
                "Screen Time sees this screen, and counts its usage for \(AccountName.current). The foreground app is"
            ),
            "\(screen)"
        )
        #expect(!screen.contains("sesame"))
        #expect(setup.text.contains("games"), "\(setup.text)")
        let rules = try await house.ask(RuleList.self, .init(member: AccountName.current)).rules.map(\.rule)
        #expect(rules.map(\.durationMs) == [5_400_000, 3_000_000], "\(rules)")
    }

    private func typed(_ house: XHouse, _ words: String...) throws -> CommandRun {
        try CommandRun(words, environment: house.buses.environment, directories: house.system.directories)
    }

    private func seconds(_ house: XHouse, of member: String) async throws -> Int64 {
        try await house.ledger().filter { $0.member == member && $0.presence == .active }.reduce(0) {
            $0 + $1.endBootMs - $1.startBootMs
        } / 1_000
    }
}

/// The command with a person at its terminal.
private final class Spoken {
    let terminal: PseudoTerminal
    private let process: SpawnedProcess
    private let output: String

    init(_ house: XHouse, scratch: ScratchDirectory, words: String...) throws {
        terminal = try PseudoTerminal()
        output = scratch.file("spoken-\(words.joined(separator: "-"))")
        let number = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError.last("open") }
        let file = OwnedDescriptor(number)
        let directories = house.system.directories
        process = try SpawnedProcess(
            SpawnPlan(
                executable: "/usr/bin/setsid",
                arguments: ["--ctty", "--wait", try BuiltTree.program("screentime")] + words,
                environment: house.buses.environment.merging([
                    "PATH": "/usr/bin:/bin", "HOME": scratch.path, "TZ": "UTC", "LANG": "C.UTF-8",
                    "SCREENTIME_RUN": directories.run, "SCREENTIME_STATE": directories.state,
                    "SCREENTIME_CONFIG": directories.config,
                ]) { $1 },
                standardOutput: file.number,
                standardError: file.number,
                descriptors: [0: terminal.number],
                hasLifeline: true
            )
        )
    }

    var text: String { ScratchDirectory.text(output) }

    /// The exit code. Waits for the end of the command.
    var code: Int32? {
        guard case .exited(let code) = process.wait(deadlineMs: 60_000) else {
            process.signalGroup(SIGKILL)
            _ = process.wait(deadlineMs: 5_000)
            return nil
        }
        return code
    }
}
