import DeviceActivity
import FamilyControls
import Foundation
import ManagedSettings
import STAppSupport
import STBarebonesKit
import SwiftUI

@main
struct BarebonesReport: DeviceActivityReportExtension {
    var body: some DeviceActivityReportScene {
        TotalActivityReport { activity in TotalActivityView(activity: activity) }
    }
}

extension DeviceActivityReport.Context {
    static let totalActivity = Self("Total Activity")
}

struct TotalActivityReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .totalActivity
    let content: (TotalActivity) -> TotalActivityView

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async
        -> TotalActivity
    {
        var total = TotalActivity()
        var places: [String: Int] = [:]
        for await user in data {
            for await segment in user.activitySegments {
                total.duration += segment.totalActivityDuration
                total.pickups += segment.totalPickupsWithoutApplicationActivity
                for await category in segment.categories {
                    for await activity in category.applications {
                        total.add(activity, &places)
                    }
                }
            }
        }
        total.apps.sort { ($1.duration, $0.name) < ($0.duration, $1.name) }
        return total
    }
}

extension TotalActivity {
    fileprivate mutating func add(
        _ activity: DeviceActivityData.ApplicationActivity,
        _ places: inout [String: Int]
    ) {
        let application = activity.application
        let id = application.bundleIdentifier ?? "?"
        pickups += activity.numberOfPickups
        if let place = places[id] {
            apps[place].duration += activity.totalActivityDuration
            apps[place].pickups += activity.numberOfPickups
            return
        }
        places[id] = apps.count
        apps.append(
            AppActivity(
                id: id,
                name: application.localizedDisplayName ?? id,
                token: application.token,
                duration: activity.totalActivityDuration,
                pickups: activity.numberOfPickups
            )
        )
    }
}

/// The use of one app.
struct AppActivity: Identifiable {
    let id: String
    let name: String
    let token: ApplicationToken?
    var duration: TimeInterval
    var pickups: Int
}

/// The data of the report.
struct TotalActivity {
    var duration: TimeInterval = 0
    var pickups = 0
    var apps: [AppActivity] = []
}

/// A view of the total, and of each app with its time and pickups.
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
                // The name is beside the icon.
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
