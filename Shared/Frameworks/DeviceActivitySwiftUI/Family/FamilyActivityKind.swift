import STPlatform

/// What a token may stand for.
enum FamilyActivityKind {
    case application
    case category
    case webDomain

    var symbol: String {
        switch self {
        case .application: "app"
        case .category: "square.grid.2x2"
        case .webDomain: "globe"
        }
    }

    /// For one whose own name is not known.
    func name(language: String) -> String {
        let words = WordLanguage(of: language)
        return switch self {
        case .application: words.pick("App", "앱")
        case .category: words.pick("Category", "카테고리")
        case .webDomain: words.pick("Website", "웹사이트")
        }
    }
}
