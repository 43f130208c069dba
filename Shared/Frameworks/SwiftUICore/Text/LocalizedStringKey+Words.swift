import Foundation

extension LocalizedStringKey {
    /// A part of the words that are shown.
    enum Shown {
        case literal(String)
        case text(Text)
    }

    func resolved(_ environment: EnvironmentValues, table: String?) -> [Shown] {
        let values = parts.compactMap { part -> Text? in
            if case .value(let text, _) = part { text } else { nil }
        }
        if let found = AppStrings.current.text(key, table: table, environment.locale) {
            return Self.filled(found, values)
        }
        return parts.map {
            switch $0 {
            case .literal(let text): .literal(text)
            case .value(let text, _): .text(text)
            }
        }
    }

    /// Puts the values where a translation wants them: `%@` is the next one, `%2$@` the second.
    static func filled(_ format: String, _ values: [Text]) -> [Shown] {
        var shown: [Shown] = []
        var literal = ""
        var next = 0
        var rest = Substring(format)
        while let character = rest.popFirst() {
            guard character == "%" else {
                literal.append(character)
                continue
            }
            if rest.first == "%" {
                rest.removeFirst()
                literal.append("%")
                continue
            }
            let specifier = rest.prefix { !$0.isLetter && $0 != "@" }
            rest = rest.dropFirst(specifier.count).drop { "hlqLzjt".contains($0) }.dropFirst()
            var place = next
            if let dollar = specifier.firstIndex(of: "$"), let number = Int(specifier[..<dollar]) {
                place = number - 1
            } else {
                next += 1
            }
            shown.append(.literal(literal))
            literal = ""
            if values.indices.contains(place) { shown.append(.text(values[place])) }
        }
        return shown + [.literal(literal)]
    }
}
