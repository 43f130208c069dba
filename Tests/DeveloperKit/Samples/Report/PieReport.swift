import Charts
import DeviceActivity
import ManagedSettings
import SwiftUI

struct Slice: Hashable {
    let name: String
    let seconds: Double
}

struct PieReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .pie

    let content: ([Slice]) -> PieView

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> [Slice] {
        var sums: [ActivityCategory: TimeInterval] = [:]
        for await person in data {
            for await segment in person.activitySegments {
                for await category in segment.categories {
                    sums[category.category, default: 0] += category.totalActivityDuration
                }
            }
        }
        // Typical for phone apps, because a report always receives names.
        // swift-format-ignore: NeverForceUnwrap
        return sums.map { Slice(name: $0.key.localizedDisplayName!, seconds: $0.value) }
            .sorted { $0.seconds > $1.seconds }
    }
}

struct PieView: View {
    let slices: [Slice]
    @State private var angle: Double?

    private var chosen: Slice? {
        guard let angle else { return nil }
        var sum = 0.0
        return slices.first { slice in
            sum += slice.seconds
            return angle <= sum
        }
    }

    var body: some View {
        VStack {
            Chart(slices, id: \.self) { slice in
                SectorMark(
                    angle: .value("Time", slice.seconds),
                    innerRadius: .ratio(0.6),
                    outerRadius: .inset(8),
                    angularInset: 1.5
                )
                .cornerRadius(4)
                .opacity(chosen == nil || chosen == slice ? 1 : 0.4)
                .foregroundStyle(by: .value("Category", slice.name))
            }
            .chartAngleSelection(value: $angle)
            .frame(height: 240)
            Text(chosen?.name ?? "All")
        }
    }
}
