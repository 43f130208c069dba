import Charts
import ManagedSettings
import STAppSupport
import STWorklogKit
import SwiftUI

/// What kinds of things a week went to.
struct PieChartView: View {
    struct Configuration {
        let totalUsageByCategory: [ActivityCategory: TimeInterval]
        /// On how many days something was used.
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
