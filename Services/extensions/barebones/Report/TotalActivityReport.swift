import DeviceActivity
import Foundation
import SwiftUI

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
