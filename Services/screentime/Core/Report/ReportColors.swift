package import STContracts
import STDomain

/// The colours of reports.
///
/// Each of the twelve contrasts with light and dark pages, and with the other eleven, also for people with red-green colour
/// blindness. A test measures the contrasts by which they were chosen.
package enum ReportColors {
    private static let palette: [(Category, PageColor)] = [
        (.social, .init(light: "#E96890FF", dark: "#FF6DD3FF")),
        (.games, .init(light: "#7947C2FF", dark: "#9C56FFFF")),
        (.entertainment, .init(light: "#E77118FF", dark: "#FF931EFF")),
        (.creativity, .init(light: "#966B00FF", dark: "#FFFC32FF")),
        (.productivity, .init(light: "#0292FAFF", dark: "#4DABFFFF")),
        (.education, .init(light: "#877DC5FF", dark: "#68E4F7FF")),
        (.informationReading, .init(light: "#084D7DFF", dark: "#1B77A6FF")),
        (.healthFitness, .init(light: "#15A4A3FF", dark: "#76FF99FF")),
        (.utilities, .init(light: "#3C5D46FF", dark: "#9B7200FF")),
        (.shoppingFood, .init(light: "#AD122AFF", dark: "#FC295EFF")),
        (.travel, .init(light: "#19A84BFF", dark: "#6CC77BFF")),
        (.other, rest),
    ]

    /// The colour of the rest, and of items without a category.
    package static let rest = PageColor(light: "#766C77FF", dark: "#8D9094FF")
    package static let secondary = PageColor(light: "#5F6068FF", dark: "#A6A8B0FF")
    /// The colour of bars that all represent one item.
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

    /// Returns the colours of the items of one report. The same items always have the same colours.
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
