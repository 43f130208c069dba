import DeviceActivity
import SwiftUI

@main
struct BarebonesReport: DeviceActivityReportExtension {
    var body: some DeviceActivityReportScene {
        TotalActivityReport { activity in TotalActivityView(activity: activity) }
    }
}
