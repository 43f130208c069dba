import Charts
import STAppSupport
import STUsageChartsKit
import SwiftUI

/// This week's apps as bars, the longest first.
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
