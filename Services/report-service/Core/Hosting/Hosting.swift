import STContracts
import STEngine
import STExtensionOutput
import STPlatform
import STStore

/// What report-service has for the reports of apps, beside its read model.
enum Hosting {
    static let migrations = [ReportAppTable.migration, OutputStore.migration]

    static var routes: [ServiceRoute<ReportState>] { HostingHandlers(figures: figures).routes }

    static func load(into state: inout ReportState, _ database: Database) throws {
        state.apps = try ReportAppTable.load(database)
    }

    private static let figures = ReportFigures(
        usage: { _, _, context, _ in ReportUsage.Reply(zone: context.zone, segments: [], isOpen: false) },
        coverage: { _, _ in
            ReportCoverage.Reply(
                members: [],
                devices: [ReportDevice(device: "this", name: "this", model: .mac, isThis: true)]
            )
        },
        name: { _, _, _ in nil }
    )
}
