/// Numbers as style sheets and SVG read them.
enum HTMLNumber {
    /// Two digits after the point, never with an exponent.
    static func text(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e9 else { return "0" }
        let hundredths = Int64((value * 100).rounded())
        let size = hundredths.magnitude
        let sign = hundredths < 0 ? "-" : ""
        let (whole, rest) = (size / 100, size % 100)
        if rest == 0 { return sign + "\(whole)" }
        return sign + "\(whole)." + (rest < 10 ? "0\(rest)" : rest % 10 == 0 ? "\(rest / 10)" : "\(rest)")
    }

    static func px(_ value: Double) -> String { text(value) + "px" }

    /// Letters grow with what somebody has set for all pages.
    static func rem(_ value: Double) -> String {
        let part = (value / 16 * 10_000).rounded() / 10_000
        guard part.isFinite, part >= 0, part < 1000 else { return "1rem" }
        let units = Int64((part * 10_000).rounded())
        var fraction = String(units % 10_000 + 10_000).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return fraction.isEmpty ? "\(units / 10_000)rem" : "\(units / 10_000).\(fraction)rem"
    }
}
