import DeviceActivity
import Foundation
import ManagedSettings
import SwiftUI

extension DeviceActivityReport.Context {
    static let pieChart = Self("Pie Chart")
}

struct PieChartReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .pieChart
    let content: (PieChartView.Configuration) -> PieChartView

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async
        -> PieChartView.Configuration
    {
        var usage: [ActivityCategory: TimeInterval] = [:]
        var days = 0
        for await user in data {
            for await segment in user.activitySegments {
                if segment.totalActivityDuration > 0 { days += 1 }
                for await category in segment.categories {
                    usage[category.category, default: 0] += category.totalActivityDuration
                }
            }
        }
        return PieChartView.Configuration(totalUsageByCategory: usage, days: days)
    }
}
