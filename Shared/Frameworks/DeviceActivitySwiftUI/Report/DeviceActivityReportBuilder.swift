/// Puts the reports of an extension together.
@resultBuilder
public struct DeviceActivityReportBuilder {
    /// All of them.
    @MainActor @preconcurrency
    public static func buildBlock<each Scene: DeviceActivityReportScene>(_ scenes: repeat each Scene)
        -> some DeviceActivityReportScene
    {
        var all: [ReportScene] = []
        for scene in repeat each scenes { all += ReportScene.all(of: scene) }
        return ReportSceneList(scenes: all)
    }
}
