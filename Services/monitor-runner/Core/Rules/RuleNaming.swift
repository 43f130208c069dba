import STContracts
import STPlatform

/// Names for rules that people gave none, and ids that never change.
enum RuleNaming {
    /// `firefox`, `downtime`, `social-window`, `code-goal`; with a number behind it when it is taken.
    static func name(for spec: RuleSpec, in book: RuleBook) -> String {
        let subject = spec.targets.first.map(RuleWords.name)
        let base: String
        switch spec.kind {
        case .limit: base = subject ?? "everything"
        case .downtime: base = "downtime"
        case .window: base = "\(subject ?? "")-window"
        case .goal: base = "\(subject ?? "")-goal"
        case .allow, .unknown: base = "\(subject ?? "")-allowed"
        }
        return free(plain(base)) { book.find($0) != nil }
    }

    /// Of activities too, so never one that another rule still has from before it was renamed.
    static func id(for name: String, in book: RuleBook) -> String {
        free(name) { book.rules[$0] != nil }
    }

    /// Easy to type: lower case, without blanks and slashes.
    private static func plain(_ text: String) -> String {
        let lower = text.lowercased().map { $0.isWhitespace || $0 == "/" ? "-" : $0 }.drop { $0 == "-" }
        var name = ""
        // Room for a number behind it.
        for character in lower where name.utf8.count + character.utf8.count <= RuleCheck.nameBytesMax - 4 {
            name.append(character)
        }
        return name.isEmpty ? "rule" : name
    }

    private static func free(_ base: String, _ isTaken: (String) -> Bool) -> String {
        guard isTaken(base) else { return base }
        var stem = base[...]
        while stem.utf8.count > RuleCheck.nameBytesMax - 4 { stem = stem.dropLast() }
        // One more than there can be rules, so one of them is free.
        let number = (2...(RuleBook.rulesMax + 2)).first { !isTaken("\(stem)-\($0)") }
        return "\(stem)-\(number ?? 0)"
    }
}
