import DeviceActivity
import SwiftUI

/// Scenes of an extension in the process of the test.
enum Reports {
    struct Seconds: DeviceActivityReportScene {
        var context = DeviceActivityReport.Context("seconds")
        let content: (TimeInterval) -> Text

        func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async
            -> TimeInterval
        {
            await data.flatMap { $0.activitySegments }.reduce(0) { $0 + $1.totalActivityDuration }
        }
    }

    struct Blank<Content: View>: DeviceActivityReportScene {
        var context = DeviceActivityReport.Context("blank")
        let content: (Int) -> Content

        func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> Int {
            0
        }
    }

    struct Usual: DeviceActivityReportExtension {
        var body: some DeviceActivityReportScene {
            Seconds { seconds in Text("\(seconds) s") }
            Blank { _ in EmptyView() }
            Blank(context: .init("spaces")) { _ in
                VStack {
                    Spacer()
                    Text(" \n").padding()
                    Color.clear
                    Rectangle().fill(.clear)
                    Text("hidden").opacity(0)
                }
            }
            Blank(context: .init("line")) { _ in Divider() }
        }
    }

    struct Doubled: DeviceActivityReportExtension {
        var body: some DeviceActivityReportScene {
            Seconds { Text("\($0)") }
            Seconds { Text("\($0)") }
            Blank(context: .init("line")) { _ in Divider() }
        }
    }

    struct Empty: DeviceActivityReportExtension {
        var body: some DeviceActivityReportScene {}
    }

    struct Single: DeviceActivityReportExtension {
        var body: some DeviceActivityReportScene { Seconds { Text("\($0)") } }
    }
}
