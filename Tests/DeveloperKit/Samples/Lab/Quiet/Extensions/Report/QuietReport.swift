import DeviceActivity
import SwiftUI

@main
struct QuietReport: DeviceActivityReportExtension {
    var body: some DeviceActivityReportScene {
        TotalReport { total in
            TotalView(total: total)
        }
    }
}

extension DeviceActivityReport.Context {
    static let total = Self("Total")
}

struct TotalReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .total
    let content: (String) -> TotalView

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> String {
        let total = await data.flatMap { $0.activitySegments }.reduce(0) { $0 + $1.totalActivityDuration }
        return "\(Int(total) / 60) minutes of quiet lost"
    }
}

struct TotalView: View {
    let total: String

    var body: some View { Text(total).font(.largeTitle).padding() }
}
