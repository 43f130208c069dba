import FamilyControls
import STAppSupport
import STBarebonesKit
import SwiftUI

/// The total, and each app with its time and how often it was what somebody picked the device up for.
struct TotalActivityView: View {
    let activity: TotalActivity

    private let words = BarebonesWords(.current)

    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            Text(words.totalTitle)
                .font(.subheadline)
                .foregroundStyle(.secondary)
            Text(words.time(activity.duration))
                .font(.largeTitle)
                .bold()
                .accessibilityAddTraits(.isHeader)
            Text(words.pickups(activity.pickups))
                .font(.subheadline)
                .foregroundStyle(.secondary)
            Divider()
            if activity.apps.isEmpty {
                Text(words.nothingUsed).foregroundStyle(.secondary)
            }
            ForEach(activity.apps) { app in
                row(app)
            }
        }
        .padding()
    }

    private func row(_ app: AppActivity) -> some View {
        HStack {
            if let token = app.token {
                // The name stands beside it.
                Label(token).labelStyle(.iconOnly).accessibilityHidden(true)
            }
            VStack(alignment: .leading, spacing: 2) {
                Text(app.name)
                if app.pickups > 0 {
                    Text(words.pickups(app.pickups))
                        .font(.caption)
                        .foregroundStyle(.secondary)
                }
            }
            Spacer()
            Text(words.time(app.duration))
                .monospacedDigit()
        }
        .accessibilityElement(children: .combine)
    }
}
