package import STContracts
import STDomain

/// The colours of reports.
///
/// Each of the twelve stands out from white and from a dark page, and from the other eleven also for people who cannot
/// tell red from green: they were looked for by that measure, which a test repeats.
package enum ReportColors {
    private static let palette: [(Category, PageColor)] = [
        (.social, .init(light: "#EA5C94", dark: "#FF3AA8")),
        (.games, .init(light: "#4C0EF5", dark: "#A6ABF4")),
        (.entertainment, .init(light: "#FF3815", dark: "#F9BE02")),
        (.creativity, .init(light: "#7B8823", dark: "#FFF402")),
        (.productivity, .init(light: "#2D3B9C", dark: "#6B74F8")),
        (.education, .init(light: "#3998BC", dark: "#3AF2FF")),
        (.informationReading, .init(light: "#121A6F", dark: "#2D98CF")),
        (.healthFitness, .init(light: "#069872", dark: "#00FFA3")),
        (.utilities, .init(light: "#594145", dark: "#B1742D")),
        (.shoppingFood, .init(light: "#A72500", dark: "#FF8C6B")),
        (.travel, .init(light: "#3B78E0", dark: "#80C8BF")),
        (.other, rest),
    ]

    /// What is left, and what has no category.
    package static let rest = PageColor(light: "#726669", dark: "#7A827E")
    package static let secondary = PageColor(light: "#5F6068", dark: "#A6A8B0")
    /// Of bars that stand for one thing only.
    package static let bar = PageColor(light: "#3B78E0", dark: "#6B9BF8")
    package static let before = PageColor(light: "#8A8D96", dark: "#8E919A")
    package static let warning = PageColor(light: "#8A4B00", dark: "#FFB454")
    package static let warningGround = PageColor(light: "#FFF1DC", dark: "#3A2A12")
    package static let demo = PageColor(light: "#8E1B7A", dark: "#F08BDD")
    package static let ground = PageColor(light: "#F4F5F8", dark: "#2A2B2F")

    package static let categories: [(id: String, color: PageColor)] = palette.map { ($0.rawValue, $1) }

    package static func of(category: String?) -> PageColor {
        categories.first { $0.id == category }?.color ?? rest
    }

    /// Of the things of one report: each has its own, and the same one again as long as they are the same things.
    package static func of(_ ids: [String?], _ key: ReportKey) -> [String?: PageColor] {
        var colors: [String?: PageColor] = [:]
        if key == .category {
            for id in ids { colors[id] = of(category: id) }
            return colors
        }
        let free = categories.dropLast().map(\.color)
        var taken: Set<Int> = []
        for id in ids.compactMap({ $0 }).sorted() {
            var place = id.utf8.reduce(5381) { ($0 &* 33 &+ Int($1)) & 0xFFFF_FFFF } % free.count
            while taken.contains(place), taken.count < free.count { place = (place + 1) % free.count }
            taken.insert(place)
            colors[id] = free[place]
        }
        if ids.contains(nil) { colors[nil] = rest }
        return colors
    }
}
