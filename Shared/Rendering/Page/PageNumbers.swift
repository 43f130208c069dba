import STPlatform

/// Numbers and durations as people read them.
package struct PageNumbers: Sendable {
    private let words: PageWords

    package init(language: String) { words = PageWords(language: language) }

    /// `1 h 20 min`, `1시간 20분`, as in all our own sentences.
    package func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e15 else { return "–" }
        // A whole second that came as a fraction of another unit is still one.
        let whole = Int64((abs(seconds) + 1e-6).rounded(.down)) * (seconds < 0 ? -1 : 1)
        return TextFormat.duration(
            ms: whole * 1000,
            in: words.language,
            inHours: true
        )
    }

    /// The same on an axis, where large steps are days.
    package func axisDuration(_ seconds: Double, step: Double) -> String {
        guard step >= 86_400, seconds != 0 else {
            return seconds == 0 ? "0" : duration(seconds)
        }
        return number(seconds / 86_400) + words.choose(" d", "일")
    }

    /// `1,234`, `0.5`, `12.3M`, `1.2억`.
    package func number(_ value: Double) -> String {
        guard value.isFinite else { return "–" }
        let size = abs(value)
        let sign = value < 0 ? "-" : ""
        let steps: [(Double, String)] =
            words.isKorean
            ? [(1e16, "경"), (1e12, "조"), (1e8, "억"), (1e5, "만")]
            : [(1e15, "P"), (1e12, "T"), (1e9, "B"), (1e6, "M")]
        for (limit, name) in steps where size >= limit {
            // Ten thousands are counted from a hundred thousand on.
            let unit = name == "만" ? 1e4 : limit
            return sign + rounded(min(size / unit, 1e15)) + name
        }
        return sign + rounded(size)
    }

    /// `45%` of a part of one.
    package func percent(_ part: Double) -> String {
        guard part.isFinite, abs(part) < 1e13 else { return "–" }
        let value = part * 100
        // A small part is still more than nothing.
        if value > 0, value < 1 { return "<1%" }
        return grouped(Int64(value.rounded())) + "%"
    }

    /// Up to two digits after the point, fewer for larger numbers.
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
