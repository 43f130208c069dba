import DeviceActivity
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

/// The app's one page: a switch, and the chart that it chooses.
struct ChartsPage: View {
    @State private var type = ReportType.pieChart
    // As the app would be written for a phone; its manifest says that this computer stands for one.
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
