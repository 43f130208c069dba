import STContracts
import STEngine
import STPlatform
import STStore

/// What report-service has for the reports of apps, beside its read model.
package enum Hosting {
    static let migrations = [ReportAppTable.migration, OutputStore.migration]

    package static let handlers = HostingHandlers(figures: figures)

    static func load(into state: inout ReportState, _ database: Database) throws {
        state.apps = try ReportAppTable.load(database)
    }

    private static let figures = ReportFigures(
        usage: { request, state, context, database in
            try UsageReport.usage(request, state, context, database, isStrict: false)
        },
        knows: { member, device, state in
            let named = ReportNames.Who(device: device == ReportDevice.this ? "" : device, member: member)
            if state.fold.names.whos.contains(named) { return true }
            // What is under way for the first time has no number yet.
            return state.fold.open.values.contains {
                $0.member == member && ($0.device ?? "") == named.device
            }
        },
        devices: { CoverageReport.devices($0) },
        name: { item, language, state in
            switch item.kind {
            case .application: UsageLabels(state, language).name(app: item.id)
            case .domain, .category, .unknown: nil
            }
        }
    )
}
