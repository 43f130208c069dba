package import DeviceActivity
import Foundation
package import STAppSupport
package import SwiftUI

extension DeviceActivityReport.Context {
    package static let pieChart = Self("pieChart")
    package static let barChart = Self("barChart")
}

/// The two charts that people can select on the page.
package enum ReportType: String, CaseIterable, Hashable, Sendable {
    case pieChart, barChart

    package var context: DeviceActivityReport.Context {
        switch self {
        case .pieChart: .pieChart
        case .barChart: .barChart
        }
    }
}

extension DeviceActivityFilter.SegmentInterval {
    /// The days of the week that contains `date`, in the given calendar.
    package static func thisWeek(_ date: Date = .now, calendar: Calendar = .current) -> Self {
        let week = calendar.dateInterval(of: .weekOfYear, for: date)
        return .daily(during: week ?? DateInterval(start: calendar.startOfDay(for: date), end: date))
    }
}

/// The texts of the app, in the person's language.
package struct ChartWords: AppWords {
    package let language: Language

    package init(_ language: Language) { self.language = language }

    package var title: String { say("This Week", "이번 주") }

    package var pickerName: String { say("Chart", "그래프") }

    package func name(_ type: ReportType) -> String {
        switch type {
        case .pieChart: say("Pie", "원 그래프")
        case .barChart: say("Bars", "막대 그래프")
        }
    }

    package var time: String { say("Time", "사용 시간") }

    package var app: String { say("App", "앱") }

    package var hours: String { say("Hours", "시간") }

    package var total: String { say("In total", "모두") }

    package var others: String { say("Others", "그 밖의 앱") }

    package var nothing: String { say("Nothing was used this week.", "이번 주에는 사용한 앱이 없어요.") }
}
