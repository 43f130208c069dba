import Foundation
import STAppSupport

/// `worklog` shows its screens; with options it does what they say and ends.
@main
@MainActor
struct WorklogApp {
    static func main() async {
        let console = Console()
        do {
            let command = try WorklogCommand(Array(CommandLine.arguments.dropFirst()))
            try await command.run(WorklogModel(), console)
        } catch {
            console.complain(error)
            exit(ExitStatus(error).rawValue)
        }
    }
}
