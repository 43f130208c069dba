import DeviceActivity
import SwiftUI

// A typical extension: each report has its scene and its view. The reports after the first three misbehave in one way each, for the
// tests of limits.
@main
struct SampleReports: DeviceActivityReportExtension {
    var body: some DeviceActivityReportScene {
        TotalReport { summary in
            TotalView(summary: summary)
        }
        PieReport { slices in
            PieView(slices: slices)
        }
        HoursReport { HoursView(hours: $0) }
        NothingReport { _ in NothingView() }
        EndlessReport { Text("\($0) rounds") }
        HugeReport { Text($0) }
        DeepReport { levels in DeepView(levels: levels) }
        GreedyReport { Text("\($0) bytes") }
        NetReport { Text($0) }
        CrashReport { Text($0) }
    }
}

extension DeviceActivityReport.Context {
    static let total = Self("total")
    static let pie = Self("pie")
    static let hours = Self("hours")
    static let nothing = Self("nothing")
    static let endless = Self("endless")
    static let huge = Self("huge")
    static let deep = Self("deep")
    static let greedy = Self("greedy")
    static let net = Self("net")
    static let crash = Self("crash")
}
