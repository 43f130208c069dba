/// What a builder makes of several scenes.
struct ReportSceneList: DeviceActivityReportScene {
    let scenes: [ReportScene]

    /// It has those of its scenes.
    var context: DeviceActivityReport.Context { DeviceActivityReport.Context("") }

    var content: (Void) -> EmptyView { { EmptyView() } }

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async {}
}
