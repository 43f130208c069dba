import DeviceActivity
import SwiftData
import SwiftUI

extension DeviceActivity.DeviceActivityReport.Context {
    static let week = Self("diary")
}

@main
struct DiaryReport: DeviceActivityReportExtension {
    var body: some DeviceActivityReportScene {
        WeekScene { DiaryPage(text: $0) }
    }
}

struct WeekScene: DeviceActivityReportScene {
    let context: DeviceActivity.DeviceActivityReport.Context = .week
    let content: (String) -> DiaryPage

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> String {
        do {
            let days = try Book.open().fetch(FetchDescriptor<Day>(sortBy: [SortDescriptor(\.date)]))
            return "\(days.flatMap(\.entries).count) entries on \(days.count) days"
        } catch { return "\(error)" }
    }
}

struct DiaryPage: View {
    let text: String
    var body: some View { Text(text).font(.title2).padding() }
}
