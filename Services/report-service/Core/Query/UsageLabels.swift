import STContracts
import STDomain

/// What people call things, in a language.
struct UsageLabels {
    private let state: ReportState
    private let language: String?

    init(_ state: ReportState, _ language: String?) {
        self.state = state
        self.language = language
    }

    /// Of what tells a row apart most closely.
    func label(_ key: UsageGroups.Key) -> String? {
        if let site = key.site { return site }
        if let app = key.app { return name(app: app) }
        if let category = key.category {
            return Category(rawValue: category)?.name(language: language ?? "en") ?? category
        }
        if let member = key.member { return member }
        guard let device = key.device else { return nil }
        return state.devices[device]?.name ?? CoverageReport.name(language)
    }

    func name(app: String) -> String {
        guard let facts = state.facts[ReportState.key(app)] else { return app }
        if let language {
            // `ko_KR.UTF-8` is also `ko_KR` and `ko`.
            let whole = language.split(separator: ".").first.map(String.init) ?? language
            let short = whole.split { $0 == "_" || $0 == "-" }.first.map(String.init) ?? whole
            if let name = facts.names[whole] ?? facts.names[short] { return name }
        }
        return facts.name ?? app
    }
}
