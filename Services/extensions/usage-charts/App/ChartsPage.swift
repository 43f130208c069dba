import DeviceActivity
import STAppSupport
import STUsageChartsKit
import SwiftUI

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
