/// How one report is made: what it needs of the data, and how that looks.
public protocol DeviceActivityReportScene: AppExtensionScene {
    /// What the report needs to know.
    associatedtype Configuration

    /// How it looks.
    associatedtype Content: View

    /// The name that the app asks for the report by.
    var context: DeviceActivityReport.Context { get }

    /// Takes from the data what the report needs to know; called again when there is new use.
    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async
        -> Configuration

    /// How it looks.
    @ViewBuilder var content: (Configuration) -> Content { get }
}

extension DeviceActivityReportScene {
    /// The scene as the system sees it.
    public var body: some AppExtensionScene { ReportSceneShell() }
}

/// The report itself is asked for by its context.
struct ReportSceneShell: AppExtensionScene {
    var body: some AppExtensionScene { self }
}
