import STPlatform

/// Formats numbers and durations for people.
package struct PageNumbers: Sendable {
    private let strings: PageStrings

    package init(language: String) { strings = PageStrings(language: language) }

    /// Returns a duration, for example `1 h 20 min`, as in all texts of Screen Time.
    package func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e15 else { return "–" }
        // A whole second may be slightly smaller after a conversion of units.
        let whole = Int64((abs(seconds) + 1e-6).rounded(.down)) * (seconds < 0 ? -1 : 1)
        return TextFormat.duration(
            ms: whole * 1000,
            in: strings.language,
            inHours: true
        )
    }

    /// Returns a duration on an axis. Large steps are in days.
    package func axisDuration(_ seconds: Double, step: Double) -> String {
        guard step >= 86_400, seconds != 0 else {
            return seconds == 0 ? "0" : duration(seconds)
        }
        return strings.text("length.days", "\(number(seconds / 86_400), "count") d")
    }

    /// Returns a number, for example `1,234`, `0.5` or `12.3M`.
    package func number(_ value: Double) -> String {
        guard value.isFinite else { return "–" }
        let size = abs(value)
        return (value < 0 ? "-" : "")
            + (strings.language.countsTenThousands ? inMyriads(size) : inThousands(size))
    }

    private func inThousands(_ size: Double) -> String {
        func count(_ unit: Double) -> String { rounded(min(size / unit, 1e15)) }
        return switch size {
        case 1e15...: strings.text("page.number-1e15", "\(count(1e15), "number")P")
        case 1e12...: strings.text("page.number-1e12", "\(count(1e12), "number")T")
        case 1e9...: strings.text("page.number-1e9", "\(count(1e9), "number")B")
        case 1e6...: strings.text("page.number-1e6", "\(count(1e6), "number")M")
        default: rounded(size)
        }
    }

    /// Formats numbers for languages with names for powers of ten thousand.
    private func inMyriads(_ size: Double) -> String {
        func count(_ unit: Double) -> String { rounded(min(size / unit, 1e15)) }
        return switch size {
        case 1e16...: strings.text("page.myriads-1e16", "\(count(1e16), "number") × 10¹⁶")
        case 1e12...: strings.text("page.myriads-1e12", "\(count(1e12), "number") × 10¹²")
        case 1e8...: strings.text("page.myriads-1e8", "\(count(1e8), "number") × 10⁸")
        // The unit of ten thousand is used from a hundred thousand on.
        case 1e5...: strings.text("page.myriads-1e4", "\(count(1e4), "number") × 10⁴")
        default: rounded(size)
        }
    }

    /// Returns a percentage, for example `45%` for 0.45.
    package func percent(_ part: Double) -> String {
        guard part.isFinite, abs(part) < 1e13 else { return "–" }
        let value = part * 100
        // A small share must not appear as 0%.
        if value > 0, value < 1 { return "<1%" }
        return grouped(Int64(value.rounded())) + "%"
    }

    /// Returns up to two decimals, fewer for larger numbers and up to four below 0.1.
    private func rounded(_ size: Double) -> String {
        let digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 || size == 0 ? 2 : 4
        var scale: Int64 = 1
        for _ in 0..<digits { scale *= 10 }
        let units = Int64((size * Double(scale)).rounded())
        let whole = grouped(units / scale)
        var fraction = String(units % scale + scale).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return fraction.isEmpty ? whole : whole + "." + fraction
    }

    private func grouped(_ number: Int64) -> String {
        let digits = Array(String(number.magnitude))
        var result = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { result.append(",") }
            result.append(digit)
        }
        return result
    }
}
