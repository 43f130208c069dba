import STPlatform
import STTestSupport
import Testing

@testable import STServiceKit

@Suite("Configuration")
struct ConfigurationTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private func load(_ text: String, _ environment: [String: String] = [:]) throws -> Configuration {
        try AtomicFile.write(Array(text.utf8), to: scratch.file("config"), durable: false)
        return try Configuration.load(path: scratch.file("config"), environment: environment)
    }

    private func refusal(_ text: String, _ environment: [String: String] = [:]) throws -> Problem {
        try #require(throws: Problem.self) { try load(text, environment) }
    }

    @Test("A missing configuration has the defaults")
    func missing() throws {
        let none = try Configuration.load(path: scratch.file("none"), environment: ["HOME": "/"])

        #expect(none == Configuration())
        #expect(none.value(.logLevel) == "info")
        #expect(none.value(.desktopScript) == "")
        #expect(try load("") == none)
    }

    @Test("A configuration can contain settings, sections, comments, blank lines and extra spaces")
    func good() throws {
        let read = try load(
            """
            # All of it.

               log_level=debug   # more to see
            [desktop-agent]
            \tscript  =  /a b/c=d.json
            """
        )

        #expect(read.value(.logLevel) == "debug")
        #expect(read.value(.desktopScript) == "/a b/c=d.json")
    }

    @Test("A list of names is separated by commas")
    func lists() throws {
        let read = try load("[activity-center]\nagents = desktop-agent , tty-agent")

        #expect(ConfigurationKey.names(read.value(.activityAgents)) == ["desktop-agent", "tty-agent"])
        #expect(ConfigurationKey.names(try load("").value(.activityAgents)) == [])
        for bad in ["agents = a,,b", "agents = ,", "agents = a,"] {
            #expect(try refusal("[activity-center]\n" + bad).code == "config.bad_value")
        }
    }

    @Test("A # within a path is part of the path, and one after a space begins a comment")
    func hash() throws {
        let read = try load("[desktop-agent]\nscript = /a#b/c.json # mine")

        #expect(read.value(.desktopScript) == "/a#b/c.json")
    }

    @Test("A configuration with CRLF line ends has the same meaning")
    func carriageReturns() throws {
        let read = try load("# first\r\nlog_level = error\r\n\r\n[desktop-agent]\r\nscript = /a.json\r\n")

        #expect(read.value(.logLevel) == "error")
        #expect(read.value(.desktopScript) == "/a.json")
        #expect(try refusal("# first\r\nlog_levl = info\r\n").message.contains("line 2:"))
    }

    @Test("An unknown key is refused with its line and the most similar key")
    func unknownKey() throws {
        let problem = try refusal("# c\n\nlog_levl = info\n")

        #expect(problem.code == "config.unknown_key")
        #expect(problem.message.contains("\(scratch.file("config")), line 3:"))
        #expect(problem.message.contains("Did you mean log_level?"))
        #expect(try !refusal("zzzzzzzzz = 1").message.contains("Did you mean"))
        #expect(try refusal("zzzzzzzzz = 1").message.contains("Settings here: log_level."))
    }

    @Test("A key of one section is refused in another")
    func otherSection() throws {
        #expect(try refusal("script = /a\n").code == "config.unknown_key")
        #expect(try refusal("[desktop-agent]\nlog_level = info\n").message.contains("in [desktop-agent]"))
    }

    @Test(
        "An unknown or malformed section is refused with its line and the valid sections",
        arguments: ["[desktop-agnt]", "[]", "[", "[desktop-agent", "[desktop-agent] x", "[desktop-agent]x]"]
    )
    func unknownSection(line: String) throws {
        let problem = try refusal("log_level = info\n\(line)\n")

        #expect(problem.code == "config.unknown_section")
        #expect(problem.message.contains("line 2:"))
        #expect(problem.message.contains("Sections: activity-center, desktop-agent"))
    }

    @Test("The refusal of a misspelled section suggests the right one")
    func suggestedSection() throws {
        #expect(try refusal("[desktop-agnt]").message.contains("Did you mean desktop-agent?"))
    }

    @Test("A line without a value is refused")
    func badLine() throws {
        let problem = try refusal("log_level\n")

        #expect(problem.code == "config.bad_line")
        #expect(problem.message.contains("line 1:"))
    }

    @Test("An invalid value is refused with the valid values")
    func badValue() throws {
        let level = try refusal("log_level = loud\n")
        let script = try refusal("\n[desktop-agent]\nscript = ./here.json\n")

        #expect(level.code == "config.bad_value")
        #expect(level.message.contains("Valid values: debug, info, warning, error."))
        #expect(script.message.contains("line 3:"))
        #expect(script.message.contains("absolute path"))
        #expect(try refusal("log_level =\n").code == "config.bad_value")
    }

    @Test("Environment variables override the configuration and are checked as strictly")
    func environment() throws {
        let read = try load(
            "log_level = error\n",
            ["SCREENTIME_LOG_LEVEL": "debug", "SCREENTIME_DESKTOP_AGENT_SCRIPT": "/x"]
        )
        let bad = try refusal("log_level = error\n", ["SCREENTIME_LOG_LEVEL": "loud"])

        #expect(read.value(.logLevel) == "debug")
        #expect(read.value(.desktopScript) == "/x")
        #expect(bad.code == "config.bad_value")
        #expect(bad.message.contains("the environment variable SCREENTIME_LOG_LEVEL"))
    }

    @Test("A configuration that is too large or not a file ends the start with code 78")
    func unreadable() throws {
        let large = try refusal(String(repeating: "# comment\n", count: 30_000))
        let folder = try #require(throws: Problem.self) {
            try Configuration.load(path: scratch.path, environment: [:])
        }

        #expect(large.message.contains("larger than"))
        #expect(StartFailure.exitCode(large) == 78)
        #expect(StartFailure.exitCode(folder) == 78)
    }

    @Test("Every setting has its own environment variable and a valid default")
    func names() {
        let names = ConfigurationKey.all.map(\.environmentName)

        #expect(Set(names).count == names.count)
        #expect(names.contains("SCREENTIME_LOG_LEVEL"))
        #expect(ConfigurationKey.all.filter { !$0.accepts($0.fallback) }.map(\.id) == [])
    }

    @Test("The guide lists every setting with its default, and no other setting")
    func guide() {
        let text = ScratchDirectory.text(BuiltTree.source("deploy/guide/configuration.md"))
        let rows = text.matches(of: /\| (none|`[a-z-]+`) \| (`[a-z_]+`) \| (empty|`[^`]+`) \|/).map { row in
            [row.output.1, row.output.2, row.output.3].joined(separator: " ")
        }
        let keys = ConfigurationKey.all.map { key in
            let section = key.section.isEmpty ? "none" : "`\(key.section)`"
            let fallback = key.fallback.isEmpty ? "empty" : "`\(key.fallback)`"
            return "\(section) `\(key.name)` \(fallback)"
        }

        #expect(rows.sorted() == keys.sorted())
    }

    @Test(
        "The exit code of a failed start depends on the problem's code",
        arguments: [
            ("config.bad_value", Int32(78)), ("path.too_long", 78), ("directory.not_ours", 78),
            ("instance.running", 75), ("store.corrupt", 74), ("internal", 70), ("", 70),
            ("configuration.x", 70),
        ]
    )
    func exitCodes(code: String, status: Int32) {
        #expect(StartFailure.exitCode(Problem(code, "It failed.")) == status)
    }
}
