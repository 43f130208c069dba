/// Selects the plural form of a message for a number. The rule is the expression in gettext's `Plural-Forms` header.
package struct PluralRule: Sendable {
    /// Maximum nesting depth of an expression.
    private static let depthMax = 40

    package let forms: Int
    private let tokens: [Token]

    /// Parses the value of the header, such as `nplurals=2; plural=(n != 1);`. Fails if the value is not a valid rule.
    package init?(_ header: String) {
        let fields = header.split(separator: ";").compactMap { field -> (Substring, Substring)? in
            guard let equals = field.firstIndex(of: "=") else { return nil }
            return (field[..<equals], field[field.index(after: equals)...])
        }
        func value(_ name: String) -> String? {
            fields.first { $0.0.filter { $0 != " " } == name }.map { String($0.1) }
        }
        guard let count = value("nplurals").flatMap({ Int($0.filter { $0 != " " }) }),
            (1...6).contains(count),
            let expression = value("plural"), let tokens = Self.tokens(of: expression)
        else { return nil }
        forms = count
        self.tokens = tokens
        // A syntax error makes the evaluation fail for every number, so evaluating one number detects it.
        guard form(of: 1) != nil else { return nil }
    }

    /// The index of the form for a number. `nil` if the expression cannot be evaluated for it, or its value is not one of the
    /// forms.
    package func form(of number: Int) -> Int? {
        var reader = Reader(tokens: tokens[...], number: Int(number.magnitude % 1_000_000))
        guard let form = reader.choice(0), reader.tokens.isEmpty, (0..<forms).contains(form) else {
            return nil
        }
        return form
    }

    private enum Token: Sendable, Equatable {
        case number(Int)
        case name
        case sign(String)
    }

    private static func tokens(of text: String) -> [Token]? {
        var rest = Substring(text)
        var tokens: [Token] = []
        while let first = rest.first {
            let digits = rest.prefix { ("0"..."9").contains($0) }
            if first == " " {
                rest = rest.dropFirst()
            } else if first == "n" {
                tokens.append(.name)
                rest = rest.dropFirst()
            } else if !digits.isEmpty {
                guard digits.count <= 9, let number = Int(digits) else { return nil }
                tokens.append(.number(number))
                rest = rest[digits.endIndex...]
            } else if let sign = signs.first(where: rest.hasPrefix) {
                tokens.append(.sign(sign))
                rest = rest.dropFirst(sign.count)
            } else {
                return nil
            }
        }
        return tokens
    }

    /// Longer signs first, because `<=` begins with `<`.
    private static let signs = [
        "||", "&&", "==", "!=", "<=", ">=", "<", ">", "%", "?", ":", "(", ")", "!", "+", "-",
    ]

    /// The binary operators and their precedence. Operators with a higher number bind more tightly.
    private static let levels = [
        "||": 1, "&&": 2, "==": 3, "!=": 3, "<=": 4, ">=": 4, "<": 4, ">": 4, "+": 5, "-": 5, "%": 6,
    ]

    /// Evaluates a C expression for one number. Each method returns `nil` for an expression that it cannot read.
    private struct Reader {
        var tokens: ArraySlice<Token>
        let number: Int

        mutating func choice(_ depth: Int) -> Int? {
            guard let condition = value(above: 0, depth) else { return nil }
            guard consume("?") else { return condition }
            guard let yes = choice(depth + 1), consume(":"), let no = choice(depth + 1) else { return nil }
            return condition != 0 ? yes : no
        }

        /// Evaluates an operand and the binary operators after it whose precedence is above this level.
        private mutating func value(above level: Int, _ depth: Int) -> Int? {
            guard depth < depthMax, var value = operand(depth) else { return nil }
            while case .sign(let sign)? = tokens.first, let own = levels[sign], own > level {
                tokens.removeFirst()
                guard let right = self.value(above: own, depth + 1),
                    let joined = Self.join(value, sign: sign, right: right)
                else { return nil }
                value = joined
            }
            return value
        }

        private mutating func operand(_ depth: Int) -> Int? {
            switch tokens.popFirst() {
            case .number(let value): return value
            case .name: return number
            case .sign("!"): return depth < depthMax ? operand(depth + 1).map { $0 == 0 ? 1 : 0 } : nil
            case .sign("("):
                guard let value = choice(depth + 1), consume(")") else { return nil }
                return value
            default: return nil
            }
        }

        private static func join(_ left: Int, sign: String, right: Int) -> Int? {
            switch sign {
            case "||": left != 0 || right != 0 ? 1 : 0
            case "&&": left != 0 && right != 0 ? 1 : 0
            case "==": left == right ? 1 : 0
            case "!=": left != right ? 1 : 0
            case "<=": left <= right ? 1 : 0
            case ">=": left >= right ? 1 : 0
            case "<": left < right ? 1 : 0
            case ">": left > right ? 1 : 0
            case "+": left &+ right
            case "-": left &- right
            default: right == 0 ? nil : left % right
            }
        }

        private mutating func consume(_ sign: String) -> Bool {
            guard tokens.first == .sign(sign) else { return false }
            tokens.removeFirst()
            return true
        }
    }
}
