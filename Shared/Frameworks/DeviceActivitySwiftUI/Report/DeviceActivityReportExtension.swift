/// An extension that makes an app's reports; the type is marked with `@main`.
public protocol DeviceActivityReportExtension: AppExtension {
    /// The reports.
    associatedtype Body: DeviceActivityReportScene

    /// The reports.
    @DeviceActivityReportBuilder var body: Body { get }
}

extension DeviceActivityReportExtension {
    /// How the reports are asked for.
    public var configuration: AppExtensionSceneConfiguration {
        AppExtensionSceneConfiguration(body) { ReportDesk.serve { ReportScene.all(of: body) } }
    }
}
