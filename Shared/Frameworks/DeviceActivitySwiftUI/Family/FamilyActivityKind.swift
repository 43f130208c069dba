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
        let isKorean = language == "ko"
        return switch self {
        case .application: isKorean ? "앱" : "App"
        case .category: isKorean ? "카테고리" : "Category"
        case .webDomain: isKorean ? "웹사이트" : "Website"
        }
    }
}
