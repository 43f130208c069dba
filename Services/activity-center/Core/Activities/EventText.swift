import STContracts
import STPlatform

/// Events in words.
enum EventText {
    static func rule(_ event: WatchedEvent) -> String {
        "\(TextFormat.duration(ms: event.thresholdMs)) of \(things(event))"
    }

    static func things(_ event: WatchedEvent) -> String {
        if event.countsEverything { return "any use" }
        let names =
            event.apps.sorted() + event.domains.sorted().map { "site:\($0)" }
            + event.categories.sorted().map { "category:\($0)" }
        let shown = names.prefix(5).joined(separator: ", ")
        return names.count > 5 ? "\(shown) and \(names.count - 5) more" : shown
    }
}
