import DeviceActivity
package import SwiftUI

extension DeviceActivityReport.Context {
    package static let pieChart = Self("pieChart")
    package static let barChart = Self("barChart")
}

/// The two charts that the app's page switches between.
package enum ReportType: String, CaseIterable, Hashable, Sendable {
    case pieChart, barChart

    package var context: DeviceActivityReport.Context {
        switch self {
        case .pieChart: .pieChart
        case .barChart: .barChart
        }
    }
}
