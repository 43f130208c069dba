import DeviceActivity
import FamilyControls
import Foundation
import STAppSupport
import STUsageChartsKit
import SwiftUI

/// Shows the charts of the current week. With `--ask`, `usage-charts` first requests permission.
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
                return console.say(ChartWords(.current).permission(isApproved: true))
            }
            await UsageChartsApp.main()
        } catch {
            console.complain(error)
            exit(ExitStatus(error).rawValue)
        }
    }
}

struct UsageChartsApp: App {
    var body: some Scene {
        WindowGroup {
            ChartsPage()
        }
    }
}

/// The only page of the app: a switch, and the chart that it selects.
struct ChartsPage: View {
    @State private var type = ReportType.pieChart
    // The filter that the app would have on a phone. The app's manifest sets the model of this computer to a phone.
    @State private var filter = DeviceActivityFilter(
        segment: .thisWeek(),
        users: .all,
        devices: .init([.iPhone])
    )

    private let words = ChartWords(.current)

    var body: some View {
        VStack(alignment: .leading, spacing: 16) {
            Text(words.title)
                .font(.largeTitle)
                .bold()
                .accessibilityAddTraits(.isHeader)
            Picker(words.pickerName, selection: $type) {
                ForEach(ReportType.allCases, id: \.self) { type in
                    Text(words.name(type)).tag(type)
                }
            }
            .pickerStyle(.segmented)
            TabView(selection: $type) {
                ForEach(ReportType.allCases, id: \.self) { type in
                    DeviceActivityReport(type.context, filter: filter).tag(type)
                }
            }
        }
        .padding()
    }
}
