import Foundation
import STAppSupport

/// `streaks` shows its screens; with options it does what they say and ends.
@main
@MainActor
struct StreaksApp {
    static func main() async {
        let console = Console()
        do {
            let command = try StreaksCommand(Array(CommandLine.arguments.dropFirst()))
            try await command.run(StreaksModel(), console)
        } catch {
            console.complain(error)
            exit(ExitStatus(error).rawValue)
        }
    }
}
