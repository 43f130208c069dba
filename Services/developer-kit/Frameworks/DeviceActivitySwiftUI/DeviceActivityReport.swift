import STContracts

/// A report made by the app's report extension and shown on a page of the app.
public struct DeviceActivityReport: View, PrimitiveView {
    public typealias Body = Never

    private let context: Context
    private let filter: DeviceActivityFilter

    public init(_ context: Context, filter: DeviceActivityFilter = DeviceActivityFilter()) {
        self.context = context
        self.filter = filter
    }

    package func write(_ page: PageWriter) throws {
        let report = PageReport(context: context.rawValue, filter: filter.wire)
        try page.add(PageNode(kind: .report, report: report))
    }

    public struct Context: RawRepresentable, Hashable, Sendable {
        public var rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }

        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

/// An extension that makes the reports of an app. Mark the type with `@main`.
public protocol DeviceActivityReportExtension: AppExtension {
    associatedtype Body: DeviceActivityReportScene

    @DeviceActivityReportBuilder var body: Body { get }
}

extension DeviceActivityReportExtension {
    /// The configuration with which the host requests the reports.
    public var configuration: AppExtensionSceneConfiguration {
        AppExtensionSceneConfiguration(body) { ReportDesk.serve { ReportScene.all(of: body) } }
    }
}

/// A report. It extracts a configuration from the data and shows it as a view.
public protocol DeviceActivityReportScene: AppExtensionScene {
    associatedtype Configuration

    associatedtype Content: View

    var context: DeviceActivityReport.Context { get }

    /// Returns the configuration of the report. The host calls this method again after new use.
    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async
        -> Configuration

    @ViewBuilder var content: (Configuration) -> Content { get }
}

extension DeviceActivityReportScene {
    /// The scene as the system shows it. It is empty, because reports are made on request.
    public var body: some AppExtensionScene { ReportSceneShell() }
}

struct ReportSceneShell: AppExtensionScene {
    var body: some AppExtensionScene { self }
}

/// Combines the reports of an extension.
@resultBuilder
public struct DeviceActivityReportBuilder {
    @MainActor @preconcurrency
    public static func buildBlock<each Scene: DeviceActivityReportScene>(_ scenes: repeat each Scene)
        -> some DeviceActivityReportScene
    {
        var all: [ReportScene] = []
        for scene in repeat each scenes { all += ReportScene.all(of: scene) }
        return ReportSceneList(scenes: all)
    }
}

/// The scenes that a `DeviceActivityReportBuilder` combined.
struct ReportSceneList: DeviceActivityReportScene {
    let scenes: [ReportScene]
    /// Unused, because each scene has its own context.
    let context = DeviceActivityReport.Context("")
    let content: (Bool) -> EmptyView = { _ in EmptyView() }

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> Bool {
        false
    }
}
