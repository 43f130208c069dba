import STPlatform

/// What apps and sites are for: the list that Apple's picker shows.
package enum Category: String, Codable, Sendable, CaseIterable {
    case social
    case games
    case entertainment
    case creativity
    case productivity
    case education
    case informationReading = "information-reading"
    case healthFitness = "health-fitness"
    case utilities
    case shoppingFood = "shopping-food"
    case travel
    case other

    /// In Korean for a language such as `ko` or `ko_KR.UTF-8`, else in English.
    package func name(language: String = "en") -> String {
        WordLanguage(of: language).pick(names.english, names.korean)
    }

    private var names: (english: String, korean: String) {
        switch self {
        case .social: ("Social", "소셜")
        case .games: ("Games", "게임")
        case .entertainment: ("Entertainment", "엔터테인먼트")
        case .creativity: ("Creativity", "창의력")
        case .productivity: ("Productivity & Finance", "생산성 및 금융")
        case .education: ("Education", "교육")
        case .informationReading: ("Information & Reading", "정보 및 도서")
        case .healthFitness: ("Health & Fitness", "건강 및 피트니스")
        case .utilities: ("Utilities", "유틸리티")
        case .shoppingFood: ("Shopping & Food", "쇼핑 및 음식")
        case .travel: ("Travel", "여행")
        case .other: ("Other", "기타")
        }
    }
}
