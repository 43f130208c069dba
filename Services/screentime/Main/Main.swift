import Glibc
import STCommandCore
import STPlatform

/// Stands in until the whole grammar is here: it knows the lines of `system` alone.
@main
enum Main {
    static func main() async {
        Signals.unblockAll()
        Signals.ignoreBrokenPipes()
        let environment = ProcessEnvironment.current()
        let words = Array(CommandLine.arguments.dropFirst())
        let terminal = Terminal.current(environment: environment)
        do {
            guard let command = SystemCommands.commands.first(where: { Array(words.prefix(2)) == $0.words })
            else {
                throw Problem(
                    "usage.unknown",
                    "Only `screentime system up | down | enable | disable` so far."
                )
            }
            let invocation = Invocation(
                subjects: [],
                options: options(command, Array(words.dropFirst(2))),
                environment: environment,
                directories: try Directories.from(environment: environment),
                terminal: terminal
            )
            exit(try await command.run(invocation).rawValue)
        } catch {
            let problem = (error as? Problem) ?? Problem("command.failed", "\(error)")
            terminal.note("\(problem)")
            exit(problem.code.hasPrefix("usage.") ? 2 : problem.code == "system.not_running" ? 3 : 1)
        }
    }

    private static func options(_ command: Command, _ words: [String]) -> [String: String] {
        var result: [String: String] = [:]
        var index = 0
        while index < words.count {
            let known = command.options.first { $0.name == words[index] }
            let hasValue = known?.value != nil && index + 1 < words.count
            result[words[index]] = hasValue ? words[index + 1] : ""
            index += hasValue ? 2 : 1
        }
        return result
    }
}
