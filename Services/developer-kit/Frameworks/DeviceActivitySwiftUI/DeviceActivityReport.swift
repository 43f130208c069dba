import STContracts

/// A report on an app's page, made by the app's report extension.
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

/// An extension that makes an app's reports; mark the type with `@main`.
public protocol DeviceActivityReportExtension: AppExtension {
    associatedtype Body: DeviceActivityReportScene

    @DeviceActivityReportBuilder var body: Body { get }
}

extension DeviceActivityReportExtension {
    /// How the reports are asked for.
    public var configuration: AppExtensionSceneConfiguration {
        AppExtensionSceneConfiguration(body) { ReportDesk.serve { ReportScene.all(of: body) } }
    }
}

/// Makes one report: takes what it needs from the data, and shows it.
public protocol DeviceActivityReportScene: AppExtensionScene {
    associatedtype Configuration

    associatedtype Content: View

    var context: DeviceActivityReport.Context { get }

    /// Called again when there is new use.
    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async
        -> Configuration

    @ViewBuilder var content: (Configuration) -> Content { get }
}

extension DeviceActivityReportScene {
    /// The system's view of the scene, which is empty: reports are made on request.
    public var body: some AppExtensionScene { ReportSceneShell() }
}

struct ReportSceneShell: AppExtensionScene {
    var body: some AppExtensionScene { self }
}

/// Puts the reports of an extension together.
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

/// What a builder makes of several scenes.
struct ReportSceneList: DeviceActivityReportScene {
    let scenes: [ReportScene]
    /// Unused: the scenes have their own.
    let context = DeviceActivityReport.Context("")
    let content: (Bool) -> EmptyView = { _ in EmptyView() }

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> Bool {
        false
    }
}
