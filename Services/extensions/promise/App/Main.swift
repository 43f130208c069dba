import Foundation
import STAppSupport

/// `promise` shows its screens; with options it does what they say and ends.
@main
@MainActor
struct PromiseApp {
    static func main() async {
        let console = Console()
        do {
            let command = try PromiseCommand(Array(CommandLine.arguments.dropFirst()))
            try await command.run(PromiseModel(), console)
        } catch {
            console.complain(error)
            exit(ExitStatus(error).rawValue)
        }
    }
}
