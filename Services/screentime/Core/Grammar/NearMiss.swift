import STPlatform

/// What to say about words that are no command: the line that was meant, or that this version does not have it yet.
enum NearMiss {
    static func explain(_ words: [String]) -> Problem {
        guard let first = words.first else { return unknown("", near: nil) }
        let isNoun = AgreedGrammar.nouns[first] != nil
        if isNoun, Grammar.firstWords.contains(first) { return wrongVerb(first, words) }
        if isNoun { return notYet(first, line: intended(first, words)) }
        if AgreedGrammar.alone.contains(first) { return notYet(first, line: nil) }
        if let other = OtherWords.meaning(of: words) { return other }
        let known = Grammar.firstWords + AgreedGrammar.alone + AgreedGrammar.nouns.keys.sorted()
        let near = TextFormat.closest(to: first, in: known)
        return unknown(first, near: near.map { ([$0] + words.dropFirst()).joined(separator: " ") })
    }

    /// A word of the agreed grammar that has no command in this version.
    static func notYet(_ what: String, line: String?) -> Problem {
        let meant = line.map { " Later it will be `\($0)`." } ?? ""
        return Problem(
            "usage.not_yet",
            "This version of Screen Time does not have `\(what)` yet.\(meant) "
                + "It has: \(present().joined(separator: ", ")).",
            help: "screentime help"
        )
    }

    private static func wrongVerb(_ noun: String, _ words: [String]) -> Problem {
        let verbs = Grammar.verbs(of: noun).map { $0.words[1] }
        let list = verbs.map { "\(noun) \($0)" }.joined(separator: ", ")
        guard words.count > 1 else {
            return Problem(
                "usage.verb_missing",
                "After `\(noun)` comes what to do: \(list).",
                help: "screentime \(noun) --help"
            )
        }
        let verb = words[1]
        if AgreedGrammar.contains([noun, verb]) {
            return Problem(
                "usage.not_yet",
                "This version of Screen Time does not have `\(noun) \(verb)` yet. It has: \(list).",
                help: "screentime \(noun) --help"
            )
        }
        let near = OtherWords.verb(verb, of: noun) ?? TextFormat.closest(to: verb, in: verbs)
        if near == nil, verbs.contains("add") {
            let line = added(noun, Array(words.dropFirst()))
            return Problem(
                "usage.unknown_verb",
                "`\(noun) \(verb)` is not known; did you mean `\(line)`? There is: \(list).",
                help: line
            )
        }
        return Problem(
            "usage.unknown_verb",
            "`\(noun) \(verb)` is not known"
                + (near.map { "; did you mean `\(noun) \($0)`?" } ?? ". There is: \(list)."),
            help: near.map { (["screentime", noun, $0] + words.dropFirst(2)).joined(separator: " ") }
                ?? "screentime \(noun) --help"
        )
    }

    /// What was meant to be added, with the time at the end where it belongs.
    static func added(_ noun: String, _ words: [String]) -> String {
        var words = words
        let isTime = { (word: String) in TextFormat.durationMs(word) != nil || WindowText.read(word) != nil }
        if let last = words.last, !isTime(last), let place = words.firstIndex(where: isTime) {
            words.append(words.remove(at: place))
        }
        return (["screentime", noun, "add"] + words).joined(separator: " ")
    }

    /// `limit firefox 30m` wants `limit add firefox 30m`.
    private static func intended(_ noun: String, _ words: [String]) -> String? {
        guard words.count > 1 else { return nil }
        let line = words.joined(separator: " ")
        if AgreedGrammar.contains([noun, words[1]]) { return "screentime \(line)" }
        return "screentime \(noun) add \(words.dropFirst().joined(separator: " "))"
    }

    private static func unknown(_ word: String, near: String?) -> Problem {
        guard let near else {
            return Problem(
                "usage.unknown_word",
                "“\(word)” is not known. There is: \(Grammar.firstWords.joined(separator: ", ")).",
                help: "screentime help"
            )
        }
        return Problem(
            "usage.unknown_word",
            "“\(word)” is not known; did you mean `\(near)`?",
            help: "screentime \(near)"
        )
    }

    private static func present() -> [String] {
        Grammar.commands.filter { !$0.words.isEmpty }.map { $0.words.joined(separator: " ") }
    }
}
