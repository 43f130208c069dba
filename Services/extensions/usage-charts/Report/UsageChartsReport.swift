import DeviceActivity
import SwiftUI

@main
struct UsageChartsReport: DeviceActivityReportExtension {
    var body: some DeviceActivityReportScene {
        PieChartReport { apps in PieChartView(apps: apps) }
        BarChartReport { apps in BarChartView(apps: apps) }
    }
}
