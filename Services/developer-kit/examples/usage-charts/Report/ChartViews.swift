import Charts
import STAppSupport
import STUsageChartsKit
import SwiftUI

/// A ring of this week's apps. The selected app is highlighted, and its time is in the middle.
struct PieChartView: View {
    let apps: [AppReport]

    @State private var selectedUsage: TimeInterval?
    private let words = ChartWords(.current)

    init(apps: [AppReport]) {
        self.apps = apps.top(7, others: ChartWords(.current).others)
    }

    var body: some View {
        if apps.isEmpty {
            Text(words.nothing).foregroundStyle(.secondary)
        } else {
            Chart(apps) { app in
                SectorMark(
                    angle: .value(words.time, app.usage),
                    innerRadius: .ratio(0.618),
                    outerRadius: .inset(10),
                    angularInset: 1
                )
                .cornerRadius(4)
                .opacity(selected == nil || selected == app ? 1 : 0.4)
                .foregroundStyle(by: .value(words.app, app.appName))
                .accessibilityLabel(app.appName)
                .accessibilityValue(text(app.usage))
            }
            .chartAngleSelection(value: $selectedUsage)
            .chartLegend(position: .bottom)
            .chartBackground { _ in
                VStack {
                    Text(selected?.appName ?? words.total)
                        .font(.callout)
                        .foregroundStyle(.secondary)
                    Text(text(selected?.usage ?? apps.total))
                        .font(.title2)
                        .bold()
                }
            }
            .frame(height: 340)
        }
    }

    /// The selected app. The selection is the sum of use up to a position on the ring.
    private var selected: AppReport? {
        guard let selectedUsage else { return nil }
        var sum: TimeInterval = 0
        return apps.first { app in
            sum += app.usage
            return selectedUsage <= sum
        }
    }

    private func text(_ usage: TimeInterval) -> String {
        Length(minutes: Int(usage / 60)).text(words.language)
    }
}

/// A bar chart of this week's apps, longest first.
struct BarChartView: View {
    let apps: [AppReport]

    private let words = ChartWords(.current)

    init(apps: [AppReport]) {
        self.apps = apps.top(9, others: ChartWords(.current).others)
    }

    var body: some View {
        if apps.isEmpty {
            Text(words.nothing).foregroundStyle(.secondary)
        } else {
            Chart(apps) { app in
                BarMark(
                    x: .value(words.hours, app.usage / 3600),
                    y: .value(words.app, app.appName)
                )
                .cornerRadius(4)
                .foregroundStyle(Color.accentColor)
                .annotation(position: .trailing) {
                    Text(Length(minutes: Int(app.usage / 60)).text(words.language))
                        .font(.caption)
                        .foregroundStyle(.secondary)
                }
            }
            .chartXAxisLabel(words.hours)
            .frame(height: CGFloat(60 + 34 * apps.count))
        }
    }
}
