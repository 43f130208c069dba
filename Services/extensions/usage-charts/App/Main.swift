import FamilyControls
import Foundation
import STAppSupport
import STUsageChartsKit
import SwiftUI

/// `usage-charts` shows this week's charts; `--ask` asks for permission first.
@main
@MainActor
struct Main {
    private static let help = """
        usage-charts                 this week's apps, as charts
        usage-charts --ask           ask for permission
        usage-charts --html FILE     the same as a page for a browser
        usage-charts --select NAME   with this chart chosen
        """

    static func main() async {
        let console = Console()
        let words = CommandLine.arguments.dropFirst()
        if words.contains("--help") { return console.say(help) }
        do {
            if words.contains("--ask") {
                try await AuthorizationCenter.shared.requestAuthorization(for: .individual)
                return console.say(ChartWords(.current).given)
            }
            await UsageChartsApp.main()
        } catch {
            console.complain(error)
            exit(ExitStatus(error).rawValue)
        }
    }
}
