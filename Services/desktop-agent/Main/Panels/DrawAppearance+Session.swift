import STContracts

extension DrawAppearance {
    /// As the session says, as far as it does: a theme that is a dark one.
    init(environment: [String: String]) {
        let theme = environment["GTK_THEME", default: ""].lowercased()
        self = theme.hasSuffix("dark") ? .dark : .light
    }
}
