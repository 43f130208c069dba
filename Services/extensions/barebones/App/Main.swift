import Foundation
import STAppSupport

/// `barebones` shows its screens; with options it does what they say and ends.
@main
@MainActor
struct BarebonesApp {
    static func main() async {
        let console = Console()
        do {
            let command = try BarebonesCommand(Array(CommandLine.arguments.dropFirst()))
            try await command.run(BarebonesModel(), console)
        } catch {
            console.complain(error)
            exit(ExitStatus(error).rawValue)
        }
    }
}
