package import STContracts
import STPlatform

/// What is known of an app or a site, in plain words.
package enum CategoryText {
    package static func facts(_ facts: SubjectFacts, _ terminal: Terminal) -> [String] {
        let subject = DisplayWidth.harmless(facts.subject)
        var lines = [terminal.styled(subject, .bold) + ": \(facts.category)"]
        let why =
            switch facts.source {
            case .person: "you put it there with `category set`"
            case .desktop: "its desktop entry says so"
            case .list:
                facts.list.map { "your list \(DisplayWidth.harmless($0)) has it" }
                    ?? "the list that comes with this program has it"
            case .unknown: "nobody has said what it is for; `category set \(subject) CATEGORY` does"
            }
        lines.append("  Because \(why).")
        if let name = facts.name {
            let others = facts.names.sorted { $0.key < $1.key }.map { "\($0.value) (\($0.key))" }
            lines.append("  Name: " + DisplayWidth.harmless(([name] + others).joined(separator: ", ")))
        }
        if let icon = facts.icon { lines.append("  Icon: " + DisplayWidth.harmless(icon)) }
        return lines
    }
}
