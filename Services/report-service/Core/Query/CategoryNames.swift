import STContracts
import STDomain

/// The category of a thing: as the ledger had it, else as it is known now.
///
/// Notifications come without one.
struct CategoryNames {
    private static let map = CategoryMap()
    private let state: ReportState
    private var ofApps: [String: String] = [:]

    init(_ names: ReportNames, _ state: ReportState) {
        self.state = state
        for thing in names.things where thing.domain == nil {
            if let app = thing.app, let category = thing.category { ofApps[app] = category }
        }
    }

    func category(of thing: ReportNames.Thing) -> String? {
        if let category = thing.category { return category }
        guard let app = thing.app else { return nil }
        return ofApps[app] ?? state.facts[ReportState.key(app)]?.category
            ?? Self.map.category(ofApp: app).rawValue
    }
}
