package import STContracts
import STDomain

/// The colours of reports.
///
/// Each of the twelve stands out from white and from a dark page, and from the other eleven also for people who cannot
/// tell red from green: they were looked for by that measure, which a test repeats.
package enum ReportColors {
    private static let palette: [(Category, PageColor)] = [
        (.social, .init(light: "#EA5C94FF", dark: "#FF3AA8FF")),
        (.games, .init(light: "#4C0EF5FF", dark: "#A6ABF4FF")),
        (.entertainment, .init(light: "#FF3815FF", dark: "#F9BE02FF")),
        (.creativity, .init(light: "#7B8823FF", dark: "#FFF402FF")),
        (.productivity, .init(light: "#2D3B9CFF", dark: "#6B74F8FF")),
        (.education, .init(light: "#3998BCFF", dark: "#3AF2FFFF")),
        (.informationReading, .init(light: "#121A6FFF", dark: "#2D98CFFF")),
        (.healthFitness, .init(light: "#069872FF", dark: "#00FFA3FF")),
        (.utilities, .init(light: "#594145FF", dark: "#B1742DFF")),
        (.shoppingFood, .init(light: "#A72500FF", dark: "#FF8C6BFF")),
        (.travel, .init(light: "#3B78E0FF", dark: "#80C8BFFF")),
        (.other, rest),
    ]

    /// What is left, and what has no category.
    package static let rest = PageColor(light: "#726669FF", dark: "#7A827EFF")
    package static let secondary = PageColor(light: "#5F6068FF", dark: "#A6A8B0FF")
    /// Of bars that stand for one thing only.
    package static let bar = PageColor(light: "#3B78E0FF", dark: "#6B9BF8FF")
    package static let before = PageColor(light: "#8A8D96FF", dark: "#8E919AFF")
    package static let warning = PageColor(light: "#8A4B00FF", dark: "#FFB454FF")
    package static let warningGround = PageColor(light: "#FFF1DCFF", dark: "#3A2A12FF")
    package static let demo = PageColor(light: "#8E1B7AFF", dark: "#F08BDDFF")
    package static let ground = PageColor(light: "#F4F5F8FF", dark: "#2A2B2FFF")

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
