import Glibc
import STCommandCore
import STPlatform
import STTestSupport
import Testing

@Suite("Shell completion")
struct CompletionTests {
    @Test(
        "Completion scripts contain every word and option of all public commands",
        arguments: Completion.shells
    )
    func complete(shell: String) throws {
        let script = try Completion.script(shell)

        for command in Grammar.shown {
            for word in command.words { #expect(script.contains(word)) }
            for option in command.options {
                #expect(script.contains(shell == "fish" ? "-l \(option.name.dropFirst(2))" : option.name))
            }
        }
    }

    @Test("Completion scripts omit the commands that only other programs start", arguments: Completion.shells)
    func hidden(shell: String) throws {
        let hidden = Grammar.commands.filter(\.isInternal).map { $0.words.joined(separator: " ") }
        #expect(hidden == ["protect refuses", "protect hold", "protect welcome"])
        let script = try Completion.script(shell)
        for command in hidden {
            #expect(!script.contains(command) && !script.contains("-a \(command.dropFirst(8)) "))
        }
    }

    @Test("Bash loads the completion script and completes commands, values and options")
    func bash() throws {
        let script = try Completion.script("bash")
        #expect(try ask(script, "screentime", "").contains("status"))
        #expect(try ask(script, "screentime", "bus", "") == "call listen describe")
        #expect(try ask(script, "screentime", "report", "--by", "") == "app category site member device")
        #expect(try ask(script, "screentime", "bus", "call", "x", "--t") == "--to --timeout")
    }

    private func ask(_ script: String, _ words: String...) throws -> String {
        let list = words.map { "'\($0)'" }.joined(separator: " ")
        let text =
            script
            + "\nCOMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1); _screentime; echo \"${COMPREPLY[*]}\"\n"
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        try scratch.write(text, to: "completion")
        guard let stream = popen("bash \(scratch.file("completion"))", "r") else {
            throw SystemError.last("popen")
        }
        defer { pclose(stream) }
        var output: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&part, 1, part.count, stream), count > 0 { output += part[..<count] }
        return String(decoding: output, as: UTF8.self).split(separator: "\n").joined(separator: "\n")
    }
}
