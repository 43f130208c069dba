import Charts
import DeviceActivity
import SwiftUI

struct Hour: Identifiable {
    let id: Date
    let minutes: Double
}

struct HoursReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .hours

    let content: ([Hour]) -> HoursView

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> [Hour] {
        var hours: [Hour] = []
        for await person in data {
            for await segment in person.activitySegments {
                hours.append(
                    Hour(id: segment.dateInterval.start, minutes: segment.totalActivityDuration / 60)
                )
            }
        }
        return hours
    }
}

struct HoursView: View {
    let hours: [Hour]

    var body: some View {
        Chart(hours) { hour in
            BarMark(x: .value("Hour", hour.id, unit: .hour), y: .value("Minutes", hour.minutes))
                .foregroundStyle(.blue.gradient)
        }
        .chartYAxis {
            AxisMarks(values: [0, 30, 60]) { value in
                AxisGridLine()
                AxisValueLabel {
                    if let minutes = value.as(Int.self) { Text("\(minutes) m") }
                }
            }
        }
        .chartXAxis {
            AxisMarks(values: .stride(by: .hour, count: 6)) { _ in
                AxisTick()
                AxisValueLabel(format: .dateTime.hour())
            }
        }
    }
}
