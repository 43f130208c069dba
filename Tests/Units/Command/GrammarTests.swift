import STCommandCore
import STCommandImport
import STCommandKit
import STCommandProtect
import STContracts
import STPlatform
import STTestSupport
import Testing

@Suite("The grammar of the command line")
struct GrammarTests {
    @Test("No two commands have the same words")
    func unique() {
        #expect(Set(Grammar.commands.map(\.words)).count == Grammar.commands.count)
    }

    @Test("The commands of other modules have implementations and no --machine option")
    func modules() {
        let commands = Grammar.commands.filter {
            ["import", "export", "protect"].contains($0.words.first) || $0.words == ["data", "import"]
        }
        let bodies = ImportCommands.bodies.merging(ProtectCommands.bodies) { $1 }

        #expect(Set(bodies.keys) == Set(commands.map(\.words)))
        // `--machine` is part of the command's own implementation, which the module's implementation replaces.
        #expect(!commands.contains { $0.options.contains { $0.name == "--machine" } })
    }

    @Test("Every command has help, and its example parses", arguments: Grammar.commands.map(\.words))
    func help(words: [String]) throws {
        let command = try #require(Grammar.command(words))
        let terminal = Terminal(isTerminal: false, isColoured: false, columns: 100)

        let text = HelpText.command(command, terminal)
        #expect(text.contains(command.summary.english))
        for option in command.options {
            #expect(text.contains(option.name) && !option.summary.english.isEmpty)
        }
        let usage = HelpText.usage(command, withOptions: false)
        #expect(HelpText.all(terminal).contains(usage) != command.isInternal)

        let arguments = command.example.shellWords
        #expect(arguments.first == "screentime")
        guard case .run(let parsed, _, _) = try CommandLineParser.parse(Array(arguments.dropFirst())) else {
            Issue.record("the example of \(words) does not parse as a command to run")
            return
        }
        #expect(parsed.words == words)
    }

    @Test(
        "A request parses to the same command, subjects and options as its command line",
        arguments: 0..<20
    )
    func requests(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let texts = ["alpha", "", "-", "--", "--json", "--by=x", "-x", "a b", "=", "하나"]
        for command in Grammar.commands {
            var request = CommandRequest(command.words.joined(separator: " "))
            for option in command.options where Bool.random(using: &random) {
                let value = option.value == nil ? "" : texts.randomElement(using: &random)
                request.options[String(option.name.dropFirst(2))] = value
            }
            let least = command.subjects.filter { !$0.isOptional }.count
            for _ in 0..<Int.random(in: least...max(least, command.subjects.count), using: &random) {
                request.subjects.append(texts.randomElement(using: &random) ?? "")
            }
            guard case .run(let asked, let subjects, let options) = try request.parsed(),
                case .run(let typed, let typedSubjects, let typedOptions) = try CommandLineParser.parse(
                    request.arguments
                )
            else {
                Issue.record("\(request)")
                continue
            }
            #expect(asked.words == typed.words && subjects == request.subjects, "\(request)")
            #expect(subjects == typedSubjects && options == typedOptions, "\(request.arguments)")
        }
    }

    @Test(
        "An invalid request is a usage problem",
        arguments: [
            CommandRequest("report", subjects: ["extra"]),
            .init("report", subjects: [], options: ["dya": "x"]), .init("member add"),
            .init("report", subjects: [], options: ["json": "1"]), .init("bus"), .init("nonsense"),
            .init("--help"),
            .init("report --by", subjects: ["app"]),
        ]
    )
    func refusedRequest(request: CommandRequest) {
        #expect { try request.parsed() } throws: { error in
            guard let problem = error as? Problem else { return false }
            return ProblemText.exitCode(problem) == .usage && problem.help != nil
        }
    }

    @Test("`deploy/guide/command.md` contains the output of `screentime help --markdown`")
    func guide() {
        let text = ScratchDirectory.text(BuiltTree.source("deploy/guide/command.md"))
        #expect(text == HelpText.guide() + "\n")
    }

    @Test(
        "`help` fits into 80 columns and 24 lines and shows the first word of every public command",
        arguments: [DisplayLanguage.english, .korean]
    )
    func overview(language: DisplayLanguage) {
        let terminal = Terminal(isTerminal: true, isColoured: false, columns: 80)
        let text = Speech.$language.withValue(language) { HelpText.overview(terminal) }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)

        #expect(lines.count <= 24 && lines.allSatisfy { DisplayWidth.columns(String($0)) <= 80 }, "\(text)")
        #expect(lines.count > 2 && lines[2].hasPrefix("  screentime setup "))
        for word in Grammar.firstWords { #expect(text.contains(word)) }
        for line in lines where line.hasPrefix("  screentime ") {
            #expect(Grammar.firstWords.contains { line.dropFirst(13).hasPrefix($0 + " ") }, "\(line)")
        }
    }

    @Test(
        "The help of `--say` lists only the placeholders that the kind of rule accepts",
        arguments: [
            ("limit", ["app", "used", "left", "limit"]), ("goal", ["app", "used", "left", "limit"]),
            ("downtime", ["left", "limit"]), ("window", ["app", "limit"]),
        ]
    )
    func placeholders(kind: String, known: [String]) throws {
        for verb in ["add", "edit"] {
            let command = try #require(Grammar.command([kind, verb]))
            let summary = try #require(command.options.first { $0.name == "--say" }).summary.english
            for word in ["app", "used", "left", "limit"] {
                #expect(summary.contains("{\(word)}") == known.contains(word), "\(kind) \(verb): \(summary)")
            }
        }
    }

    @Test("`--help` and `-h` work anywhere before `--`")
    func helpAnywhere() throws {
        for line in [
            ["report", "--help"], ["--help", "report"], ["report", "--by", "app", "-h"],
            ["bus", "call", "x", "--help"],
        ] {
            guard case .commandHelp = try CommandLineParser.parse(line) else {
                Issue.record("\(line)")
                continue
            }
        }
        guard case .nounHelp("bus") = try CommandLineParser.parse(["bus", "--help"]) else {
            Issue.record("bus --help")
            return
        }
        guard case .run(_, let subjects, _) = try CommandLineParser.parse(["member", "add", "--", "--help"])
        else {
            Issue.record("member add -- --help")
            return
        }
        #expect(subjects == ["--help"])
    }

    @Test("An option accepts its value after a space or an equals sign")
    func values() throws {
        for line in [
            ["report", "--by", "site"], ["report", "--by=site"], ["--json", "report", "--by=site"],
        ] {
            guard case .run(_, _, let options) = try CommandLineParser.parse(line) else {
                Issue.record("\(line)")
                continue
            }
            #expect(options["--by"] == "site")
        }
        guard case .run(_, let subjects, _) = try CommandLineParser.parse(["bus", "call", "a.b", "-"]) else {
            Issue.record("bus call a.b -")
            return
        }
        #expect(subjects == ["a.b", "-"])
    }

    @Test(
        "An invalid command line is a usage problem",
        arguments: [
            ["report", "--dya", "x"], ["report", "--by"], ["report", "--by", "--json"],
            ["report", "--json=1"],
            ["report", "extra"], ["member", "add"], ["member", "add", "a", "b"],
            ["report", "--by", "app", "--by", "site"],
            ["bus"], ["nonsense"], ["--nonsense"], [""],
        ]
    )
    func refused(line: [String]) {
        #expect { try CommandLineParser.parse(line) } throws: { error in
            guard let problem = error as? Problem else { return false }
            return ProblemText.exitCode(problem) == .usage && problem.help != nil
        }
    }

    @Test(
        "The message about a mistyped command line suggests the intended one",
        arguments: [
            (["limit", "firefox", "30m"], "screentime limit add firefox 30m"),
            (["block", "firefox"], "screentime limit add firefox"),
            (["statsu"], "screentime status"), (["system", "start"], "screentime system up"),
            (["rule", "resume", "evening"], "screentime rule pause evening --end"),
            (["limit", "resume", "evening"], "screentime rule pause evening --end"),
            (["resume", "evening"], "screentime rule pause evening --end"),
            (["settings"], "screentime setup"), (["open"], "screentime console"),
            (["bus", "cal", "health.ping"], "screentime bus call health.ping"),
            (["limits", "list"], "`screentime limit list`"),
            (["limits", "add", "firefox", "1h"], "`screentime limit add firefox 1h`"),
            (["preview", "gimp"], "`screentime shield preview gimp`"),
            (["add", "kid"], "screentime member add kid"),
            (["report", "--dya", "x"], "--day"),
            (["top"], "screentime trace --top"),
            (["install", "./Promise"], "screentime app install ./Promise"),
            (["app", "uninstall", "promise"], "screentime app remove promise"),
            (["app", "delete", "promise"], "screentime app remove promise"),
            (["app", "revoke", "promise"], "screentime app access promise"),
            (["app", "acess", "promise", "on"], "screentime app access promise on"),
            (["revoke", "promise"], "screentime app access promise off"),
            (["password", "kid"], "screentime member passcode kid"),
            (["member", "pin", "kid"], "screentime member passcode kid"),
            (["member", "passcode", "kid", "--passcode", "1234"], "no option --passcode"),
        ]
    )
    func nearMiss(line: [String], expected: String) {
        #expect { try CommandLineParser.parse(line) } throws: { error in
            guard let problem = error as? Problem else { return false }
            return ProblemText.text(problem).contains(expected)
        }
    }

    @Test(
        "The message about an unknown verb suggests an existing verb of the noun",
        arguments: [
            (["member", "edit", "kid"], "member set"), (["app", "uninstall", "promise"], "app remove"),
            (["household", "jion"], "household join"),
            (["limit", "set", "mousepad", "1h"], "limit edit"),
            (["category", "change", "firefox"], "category set"),
            (["limit", "firefox", "30m"], "limit add firefox 30m"),
        ]
    )
    func wrongVerb(words: [String], meant: String) {
        #expect { try CommandLineParser.parse(words) } throws: { error in
            guard let problem = error as? Problem else { return false }
            return problem.code == "usage.unknown_verb" && problem.message.contains("Did you mean `")
                && problem.message.contains(meant)
        }
    }

    @Test("The suggestion for an unknown verb does not use the verb as a subject")
    func verbAsSubject() {
        #expect { try CommandLineParser.parse(["ignore", "show", "firefox"]) } throws: { error in
            guard let problem = error as? Problem else { return false }
            return problem.code == "usage.unknown_verb" && !problem.message.contains("add show")
        }
    }

    @Test("`help` with extra words explains the command at their start")
    func helpWithMore() async throws {
        let scratch = try ScratchDirectory()
        let (code, output) = await CommandOutput.run(["help", "report", "today"], in: scratch.path)

        #expect(code == .done)
        #expect(output.standard.contains("screentime report"))
    }

    @Test("`rule edit` suggests the commands that edit each kind of rule")
    func ruleEdit() {
        #expect { try CommandLineParser.parse(["rule", "edit", "mousepad", "--time", "1h"]) } throws: {
            error in
            guard let problem = error as? Problem else { return false }
            return problem.message.contains("Did you mean `limit edit`")
                && problem.help?.hasPrefix("screentime limit edit mousepad") == true
        }
    }

    @Test("The exit code depends on the kind of problem")
    func exitCodes() {
        #expect(ProblemText.exitCode(Problem("service.not_running", "")) == .notRunning)
        #expect(ProblemText.exitCode(Problem("access.denied", "")) == .notAllowed)
        #expect(ProblemText.exitCode(Problem("usage.unknown_word", "")) == .usage)
        #expect(ProblemText.exitCode(Problem("member.not_found", "")) == .no)
    }
}
