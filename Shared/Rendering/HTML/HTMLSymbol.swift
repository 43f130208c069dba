/// Symbols as SVG, in the colour of the letters around them.
enum HTMLSymbol {
    private static let pen =
        "fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.7\" "
        + "stroke-linecap=\"round\" stroke-linejoin=\"round\""

    /// An app's square stands for what nobody has drawn.
    static func elements(of name: String, id: String) -> String {
        let wanted = SymbolName(name) ?? SymbolName("app")
        guard let wanted, let symbol = SymbolTable.all[wanted.base] else { return "" }
        var body = wanted.isCircled ? circled(symbol, wanted, id) : plain(symbol, wanted.isFilled, id)
        if wanted.isSlashed {
            body = masked(
                body,
                cut: "<path d=\"M3.6 3.6L20.4 20.4\" stroke=\"#000\" stroke-width=\"5\"/>",
                id + "s"
            )
            body += "<path d=\"M3.6 3.6L20.4 20.4\" \(pen)/>"
        }
        return body
    }

    private static func circled(_ symbol: Symbol, _ name: SymbolName, _ id: String) -> String {
        let place = "transform=\"translate(12 12) scale(.56) translate(-12 -12)\""
        guard name.isFilled else {
            return "<circle cx=\"12\" cy=\"12\" r=\"10\" \(pen)/><g \(place)>\(plain(symbol, false, id))</g>"
        }
        let hole = plain(symbol, false, id).replacing("currentColor", with: "#000")
        return masked(
            "<circle cx=\"12\" cy=\"12\" r=\"10.8\" fill=\"currentColor\"/>",
            cut: "<g \(place)>\(hole)</g>",
            id + "c"
        )
    }

    private static func plain(_ symbol: Symbol, _ isFilled: Bool, _ id: String) -> String {
        let outlines = symbol.outline.map { shapes($0, isFilled: isFilled) }.joined()
        let details = symbol.detail.map { shapes($0, isFilled: false) }.joined()
        let solid = symbol.solid.map { shapes($0, isFilled: true) }.joined()
        if isFilled, !symbol.outline.isEmpty, !symbol.isBeside, !details.isEmpty {
            return masked(outlines, cut: details.replacing("currentColor", with: "#000"), id + "p") + solid
        }
        return outlines + details + solid
    }

    private static func masked(_ body: String, cut: String, _ id: String) -> String {
        "<mask id=\"\(id)\"><path d=\"M-2-2H26V26H-2Z\" fill=\"#fff\"/>\(cut)</mask>"
            + "<g mask=\"url(#\(id))\">\(body)</g>"
    }

    /// Circles and rectangles are words of their own in our paths.
    private static func shapes(_ path: String, isFilled: Bool) -> String {
        let look = isFilled ? pen.replacing("fill=\"none\"", with: "fill=\"currentColor\"") : pen
        var words = path.split(separator: " ")[...]
        var rest: [Substring] = []
        var result = ""
        while let word = words.popFirst() {
            let count = word == "O" ? 3 : word == "R" ? 5 : 0
            guard count > 0, words.count >= count else {
                rest.append(word)
                continue
            }
            let values = Array(words.prefix(count))
            words = words.dropFirst(count)
            result +=
                word == "O"
                ? "<circle cx=\"\(values[0])\" cy=\"\(values[1])\" r=\"\(values[2])\" \(look)/>"
                : "<rect x=\"\(values[0])\" y=\"\(values[1])\" width=\"\(values[2])\" height=\"\(values[3])\" "
                    + "rx=\"\(values[4])\" \(look)/>"
        }
        if !rest.isEmpty { result += "<path d=\"\(rest.joined(separator: " "))\" \(look)/>" }
        return result
    }
}
