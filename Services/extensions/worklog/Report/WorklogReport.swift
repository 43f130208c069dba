import DeviceActivity
import SwiftUI

@main
struct WorklogReport: DeviceActivityReportExtension {
    var body: some DeviceActivityReportScene {
        PieChartReport { configuration in PieChartView(configuration: configuration) }
    }
}
