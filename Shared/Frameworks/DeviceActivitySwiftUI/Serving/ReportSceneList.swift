/// What a builder makes of several scenes.
struct ReportSceneList: DeviceActivityReportScene {
    let scenes: [ReportScene]
    /// It has those of its scenes.
    let context = DeviceActivityReport.Context("")
    let content: (Bool) -> EmptyView = { _ in EmptyView() }

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> Bool {
        false
    }
}
