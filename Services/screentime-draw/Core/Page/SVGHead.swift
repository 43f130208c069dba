import STContracts

/// What an SVG says to those who do not look at it.
enum SVGHead {
    private static let lengthMax = 4000

    /// The same with a title and a description behind its first tag.
    static func named(_ svg: [UInt8], _ page: Page, _ variant: PageVariant) -> [UInt8] {
        guard let tag = svg.firstRange(of: Array("<svg ".utf8)),
            let end = svg[tag.upperBound...].firstIndex(of: UInt8(ascii: ">"))
        else { return svg }
        let role = "role=\"img\" lang=\"\(escaped(page.language))\" "
        var head = ""
        if let title = page.title, !title.isEmpty { head += "\n<title>\(escaped(title))</title>" }
        let words = variant.nodes.compactMap(words).filter { !$0.isEmpty }.joined(separator: "\n")
        if !words.isEmpty { head += "\n<desc>\(escaped(String(words.prefix(lengthMax))))</desc>" }
        return svg[..<tag.upperBound] + Array(role.utf8) + svg[tag.upperBound...end] + Array(head.utf8)
            + svg[(end + 1)...]
    }

    private static func words(_ node: PageNode) -> String? {
        if node.isDecoration == true { return nil }
        if let label = node.label { return label }
        if let runs = node.runs { return runs.map(\.text).joined() }
        return node.chart?.summary
    }

    /// For XML, which has no control characters at all.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            case "\"": result += "&quot;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            default:
                let isText = scalar.value >= 0x20 && scalar.value != 0x7F && scalar.value < 0xFFFE
                if isText || scalar.value > 0xFFFF { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }
}
