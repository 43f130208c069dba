package import STCommandCore
import STCommandImport
import STCommandProtect
import STPlatform
import Synchronization

/// Runs the command in this process and keeps its output.
package final class CommandOutput: Sendable {
    private let texts = Mutex<[(text: String, descriptor: Int32)]>([])

    package var standard: String { text(1) }
    package var error: String { text(2) }

    private func text(_ descriptor: Int32) -> String {
        texts.withLock { $0.filter { $0.descriptor == descriptor }.map(\.text).joined() }
    }

    package static func run(
        _ line: [String],
        in directory: String,
        home: String? = nil,
        keyboard: String = "/dev/null",
        bodies: [[String]: CommandRunner.Body] = [:]
    ) async -> (
        ExitCode, CommandOutput
    ) {
        let output = CommandOutput()
        var terminal = Terminal(isTerminal: false, isColoured: false, columns: 100)
        terminal.keyboard = keyboard
        terminal.sink = { text, descriptor in output.texts.withLock { $0.append((text, descriptor)) } }
        let code = await CommandRunner.run(
            line,
            environment: [
                "SCREENTIME_RUN": directory, "SCREENTIME_STATE": directory, "SCREENTIME_CONFIG": directory,
            ].merging(home.map { ["HOME": $0, "PATH": $0 + "/bin"] } ?? [:]) { $1 },
            terminal: terminal,
            bodies: bodies.merging(ImportCommands.bodies) { $1 }.merging(ProtectCommands.bodies) { $1 }
        )
        return (code, output)
    }
}
