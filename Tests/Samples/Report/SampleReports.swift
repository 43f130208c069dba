import DeviceActivity
import SwiftUI

// An extension as apps have it: its reports, each with a scene and a view of its own. Those after the first three do what
// an extension should not.
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
