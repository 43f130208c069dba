import STDomain
import STPlatform

/// Events in words.
enum EventText {
    private static let namesMax = 5

    static func rule(_ budget: Budget) -> String {
        "\(TextFormat.duration(ms: budget.thresholdMs)) of \(things(budget.target))"
    }

    static func things(_ target: BudgetTarget) -> String {
        if target.isEverything { return "any use" }
        let names =
            target.apps.sorted() + target.domains.sorted().map { "site:\($0)" }
            + target.categories.sorted().map { "category:\($0)" }
        let shown = names.prefix(namesMax).joined(separator: ", ")
        return names.count > namesMax ? "\(shown) and \(names.count - namesMax) more" : shown
    }
}
