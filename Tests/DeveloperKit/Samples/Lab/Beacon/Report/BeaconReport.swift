import DeviceActivity
import SwiftUI

@main
struct BeaconReport: DeviceActivityReportExtension {
    var body: some DeviceActivityReportScene {
        LightReport { total in LightView(total: total) }
    }
}

extension DeviceActivityReport.Context {
    static let light = Self("Light")
}

struct LightReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .light
    let content: (TimeInterval) -> LightView

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> TimeInterval
    {
        await data.flatMap { $0.activitySegments }.reduce(0) { $0 + $1.totalActivityDuration }
    }
}

struct LightView: View {
    let total: TimeInterval

    var body: some View {
        VStack {
            Image(.lampOn).resizable().frame(width: 40, height: 40)
            Text("\(Int(total) / 60) minutes of light").foregroundStyle(Color(.warmLight))
            Button("Again") {}.buttonStyle(.bordered).background(Color.warmLight)
        }
    }
}

#Preview("A long day") {
    LightView(total: 7_200)
}
