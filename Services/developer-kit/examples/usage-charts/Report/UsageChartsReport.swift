import DeviceActivity
import Foundation
import STUsageChartsKit
import SwiftUI

@main
struct UsageChartsReport: DeviceActivityReportExtension {
    var body: some DeviceActivityReportScene {
        PieChartReport { apps in PieChartView(apps: apps) }
        BarChartReport { apps in BarChartView(apps: apps) }
    }
}

struct PieChartReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .pieChart
    let content: ([AppReport]) -> PieChartView

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> [AppReport]
    {
        await data.appReports()
    }
}

struct BarChartReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .barChart
    let content: ([AppReport]) -> BarChartView

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> [AppReport]
    {
        await data.appReports()
    }
}

/// The use of one app.
struct AppReport: Hashable, Identifiable {
    let appName: String
    var usage: TimeInterval

    var id: String { appName }
}

extension DeviceActivityResults<DeviceActivityData> {
    /// Returns the apps with their use in all segments, most used first.
    func appReports() async -> [AppReport] {
        var usage: [String: TimeInterval] = [:]
        for await data in self {
            for await segment in data.activitySegments {
                for await category in segment.categories {
                    for await activity in category.applications {
                        let application = activity.application
                        let name = application.localizedDisplayName ?? application.bundleIdentifier ?? "?"
                        usage[name, default: 0] += activity.totalActivityDuration
                    }
                }
            }
        }
        return usage.filter { $0.value > 0 }
            .map { AppReport(appName: $0.key, usage: $0.value) }
            .sorted { ($1.usage, $0.appName) < ($0.usage, $1.appName) }
    }
}

extension [AppReport] {
    /// Returns the most used apps, and combines the others, because twenty colours cannot be distinguished.
    func top(_ count: Int, others: String) -> [AppReport] {
        guard self.count > count + 1 else { return self }
        let rest = dropFirst(count).reduce(0) { $0 + $1.usage }
        return prefix(count) + [AppReport(appName: others, usage: rest)]
    }

    var total: TimeInterval { reduce(0) { $0 + $1.usage } }
}
