import DeviceActivity
import STUsageChartsKit
import SwiftUI

struct BarChartReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .barChart
    let content: ([AppReport]) -> BarChartView

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> [AppReport]
    {
        await data.appReports()
    }
}
