import STContracts
import STDomain

/// The category of a thing: as the ledger had it, else as it is known now.
///
/// Notifications come without one.
struct CategoryNames {
    private static let map = CategoryMap()
    private let names: ReportNames
    private let state: ReportState
    /// Made when it is first needed: most reports tell apps apart.
    private var ofApps: [String: String]?

    init(_ names: ReportNames, _ state: ReportState) {
        self.names = names
        self.state = state
    }

    mutating func category(of thing: ReportNames.Thing) -> String? {
        if let category = thing.category { return category }
        guard let app = thing.app else { return nil }
        let ofApps = ofApps ?? Self.find(names)
        self.ofApps = ofApps
        return ofApps[app] ?? state.facts[ReportState.key(app)]?.category
            ?? Self.map.category(ofApp: app).rawValue
    }

    private static func find(_ names: ReportNames) -> [String: String] {
        var found: [String: String] = [:]
        for thing in names.things where thing.domain == nil {
            if let app = thing.app, let category = thing.category { found[app] = category }
        }
        return found
    }
}
