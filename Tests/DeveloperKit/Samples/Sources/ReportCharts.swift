import Charts
import DeviceActivity
import FamilyControls
import ManagedSettings
import SwiftUI

// Charts and pages with reports, as in typical apps.

extension DeviceActivityReport.Context {
    static let ring = Self("ring")
    static let days = Self("days")
}

extension DeviceActivityFilter.SegmentInterval {
    static var thisWeek: Self {
        let calendar = Calendar.current
        return .daily(during: calendar.dateInterval(of: .weekOfYear, for: .now) ?? DateInterval())
    }
}

package enum Graph: String, CaseIterable, Identifiable {
    case ring = "Ring"
    case days = "Days"

    package var id: Self { self }

    var context: DeviceActivityReport.Context {
        switch self {
        case .ring: return .ring
        case .days: return .days
        }
    }
}

package struct GraphPage: View {
    @State private var graph = Graph.ring
    @State private var filter = DeviceActivityFilter(
        segment: .thisWeek,
        users: .all,
        devices: .init([.iPhone, .mac])
    )
    @State private var selection = FamilyActivitySelection()
    @State private var isPicking = false

    package init() {}

    package var body: some View {
        VStack {
            Picker("Graph", selection: $graph) {
                ForEach(Graph.allCases) { graph in
                    Text(graph.rawValue).tag(graph)
                }
            }
            .pickerStyle(.segmented)
            TabView(selection: $graph) {
                ForEach(Graph.allCases, id: \.self) { graph in
                    DeviceActivityReport(graph.context, filter: filter)
                        .tag(graph)
                }
            }
            Button("Choose apps") { isPicking = true }
        }
        .familyActivityPicker(isPresented: $isPicking, selection: $selection)
        .onChange(of: selection) { chosen in
            filter.applications = chosen.applicationTokens
        }
    }
}

package struct DayUse: Identifiable {
    package let id = UUID()
    let day: Date
    let kind: String
    let hours: Double

    package static let sample: [DayUse] = (0..<14).map { number in
        let start = Calendar.current.startOfDay(for: Date(timeIntervalSince1970: 1_700_000_000))
        return DayUse(
            day: Calendar.current.date(byAdding: .day, value: number / 2, to: start) ?? start,
            kind: number % 2 == 0 ? "Work" : "Play",
            hours: Double(number % 5) + 0.5
        )
    }
}

package struct DaysChart: View {
    let days: [DayUse]
    @State private var chosen: Date?

    package init(days: [DayUse]) { self.days = days }

    private var mean: Double { days.map(\.hours).reduce(0, +) / Double(max(1, days.count)) }

    package var body: some View {
        Chart {
            ForEach(days) { use in
                BarMark(
                    x: .value("Day", use.day, unit: .day),
                    y: .value("Hours", use.hours),
                    width: .ratio(0.6)
                )
                .foregroundStyle(by: .value("Kind", use.kind))
                .opacity(chosen == nil || chosen == use.day ? 1 : 0.4)
                .cornerRadius(4)
            }
            if mean > 0 {
                RuleMark(y: .value("Mean", mean))
                    .lineStyle(StrokeStyle(lineWidth: 1, dash: [4, 2]))
                    .foregroundStyle(.secondary)
                    .annotation(position: .top, alignment: .trailing) {
                        Text("Mean \(mean, specifier: "%.1f") h")
                            .font(.caption)
                    }
            } else {
                RuleMark(y: .value("None", 0))
            }
        }
        .chartForegroundStyleScale(["Work": Color.blue, "Play": .orange])
        .chartXAxis {
            AxisMarks(values: .stride(by: .day)) { _ in
                AxisGridLine()
                AxisTick()
                AxisValueLabel(format: .dateTime.weekday(.narrow), centered: true)
            }
        }
        .chartYAxis {
            AxisMarks(position: .leading) { value in
                AxisGridLine(stroke: StrokeStyle(lineWidth: 0.5))
                if let hours = value.as(Double.self) {
                    AxisValueLabel { Text("\(Int(hours))h") }
                }
            }
        }
        .chartYScale(domain: 0...12)
        .chartXSelection(value: $chosen)
        .chartLegend(position: .bottom, alignment: .center, spacing: 8)
        .chartPlotStyle { plot in
            plot.frame(height: 200).background(.gray.opacity(0.1))
        }
        .frame(height: 260)
        .padding()
    }
}

package struct LinesChart: View {
    let days: [DayUse]

    package init(days: [DayUse]) { self.days = days }

    package var body: some View {
        Chart(days) {
            AreaMark(x: .value("Day", $0.day), y: .value("Hours", $0.hours))
                .foregroundStyle(
                    LinearGradient(colors: [.blue.opacity(0.4), .clear], startPoint: .top, endPoint: .bottom)
                )
            LineMark(x: .value("Day", $0.day), y: .value("Hours", $0.hours), series: .value("Kind", $0.kind))
                .interpolationMethod(.catmullRom)
                .symbol(.circle)
                .symbol(by: .value("Kind", $0.kind))
            PointMark(x: .value("Day", $0.day), y: .value("Hours", $0.hours))
                .symbolSize(30)
                .accessibilityLabel(Text($0.kind))
                .accessibilityValue("\($0.hours) hours")
        }
        .chartXAxis(.hidden)
        .chartYAxis {
            AxisMarks(values: [0, 2, 4])
        }
        .chartLegend(.hidden)
        .chartOverlay { proxy in
            GeometryReader { _ in
                Rectangle().fill(.clear).contentShape(Rectangle())
            }
        }
        .chartBackground { _ in
            Text("Hours").font(.headline)
        }
    }
}

/// Usage that an app reads directly.
package func secondsRead() async throws -> TimeInterval {
    var seconds: TimeInterval = 0
    for try await data in DeviceActivityData.activityData(filteredBy: .init(segment: .thisWeek), using: .live)
    {
        for await segment in data.activitySegments { seconds += segment.totalActivityDuration }
    }
    return seconds
}
