import DeviceActivity
import ManagedSettings
import SwiftUI

struct AppUse: Identifiable {
    let id: String
    let name: String
    let token: ApplicationToken?
    var seconds: TimeInterval
    var pickups: Int
}

struct UseSummary {
    var person = ""
    var total: TimeInterval = 0
    var apps: [AppUse] = []
}

struct TotalReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .total

    let content: (UseSummary) -> TotalView

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> UseSummary {
        var summary = UseSummary()
        var found: [String: AppUse] = [:]
        for await person in data {
            summary.person = person.user.nameComponents?.givenName ?? "?"
            for await segment in person.activitySegments {
                for await category in segment.categories {
                    for await activity in category.applications {
                        let app = activity.application
                        guard let id = app.bundleIdentifier, let name = app.localizedDisplayName else {
                            continue
                        }
                        found[
                            id,
                            default: AppUse(id: id, name: name, token: app.token, seconds: 0, pickups: 0)
                        ]
                        .seconds += activity.totalActivityDuration
                        found[id]?.pickups += activity.numberOfPickups
                    }
                }
            }
        }
        // A second iteration over the data, as in many apps.
        summary.total = await data.flatMap { $0.activitySegments }.reduce(0) { $0 + $1.totalActivityDuration }
        summary.apps = found.values.sorted { ($1.seconds, $0.name) < ($0.seconds, $1.name) }
        return summary
    }
}

struct TotalView: View {
    let summary: UseSummary

    private var formatter: DateComponentsFormatter {
        let formatter = DateComponentsFormatter()
        formatter.allowedUnits = [.hour, .minute, .second]
        formatter.unitsStyle = .abbreviated
        return formatter
    }

    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            Text("\(summary.person): \(formatter.string(from: summary.total) ?? "-")")
                .font(.title2)
                .bold()
            if summary.apps.isEmpty {
                Text("No use yet")
                    .foregroundColor(.secondary)
            } else {
                ForEach(summary.apps) { app in
                    HStack {
                        if let token = app.token {
                            Label(token)
                        } else {
                            Text(app.name)
                        }
                        Spacer()
                        Text(formatter.string(from: app.seconds) ?? "-")
                            .foregroundColor(.secondary)
                        Text("\(app.pickups)x")
                            .font(.caption)
                    }
                }
            }
        }
        .padding()
    }
}
