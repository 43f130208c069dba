import Charts
import DeviceActivity
import Foundation
import ManagedSettings
import STAppSupport
import STWorklogKit
import SwiftUI

@main
struct WorklogReport: DeviceActivityReportExtension {
    var body: some DeviceActivityReportScene {
        PieChartReport { configuration in PieChartView(configuration: configuration) }
    }
}

extension DeviceActivityReport.Context {
    static let pieChart = Self("Pie Chart")
}

struct PieChartReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .pieChart
    let content: (PieChartView.Configuration) -> PieChartView

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async
        -> PieChartView.Configuration
    {
        var usage: [ActivityCategory: TimeInterval] = [:]
        var days = 0
        for await user in data {
            for await segment in user.activitySegments {
                if segment.totalActivityDuration > 0 { days += 1 }
                for await category in segment.categories {
                    usage[category.category, default: 0] += category.totalActivityDuration
                }
            }
        }
        return PieChartView.Configuration(totalUsageByCategory: usage, days: days)
    }
}

/// The use of a week by category.
struct PieChartView: View {
    struct Configuration {
        let totalUsageByCategory: [ActivityCategory: TimeInterval]
        /// The number of days with any use.
        let days: Int
    }

    private struct Slice: Identifiable {
        let id: String
        let usage: TimeInterval
    }

    let configuration: Configuration

    private let words = WorklogWords(.current)

    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            Text(words.weekTitle)
                .font(.title2)
                .bold()
                .accessibilityAddTraits(.isHeader)
            Text(words.week(total, days: configuration.days))
                .foregroundStyle(.secondary)
            if !slices.isEmpty {
                Chart(slices) { slice in
                    SectorMark(angle: .value(words.time, slice.usage), innerRadius: .ratio(0.5))
                        .foregroundStyle(by: .value(words.category, slice.id))
                        .accessibilityLabel(slice.id)
                        .accessibilityValue(words.length(slice.usage))
                }
                .frame(height: 300)
            }
        }
        .padding()
    }

    private var slices: [Slice] {
        configuration.totalUsageByCategory
            .filter { $0.value > 0 }
            .map { Slice(id: $0.key.localizedDisplayName ?? words.other, usage: $0.value) }
            .sorted { ($1.usage, $0.id) < ($0.usage, $1.id) }
    }

    private var total: TimeInterval { slices.reduce(0) { $0 + $1.usage } }
}
