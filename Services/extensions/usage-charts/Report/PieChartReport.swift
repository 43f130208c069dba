import DeviceActivity
import STUsageChartsKit
import SwiftUI

struct PieChartReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .pieChart
    let content: ([AppReport]) -> PieChartView

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> [AppReport]
    {
        await data.appReports()
    }
}
