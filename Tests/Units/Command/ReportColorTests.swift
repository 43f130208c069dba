import Glibc
import STCommandCore
import STContracts
import Testing

@Suite("The colours of reports")
struct ReportColorTests {
    private typealias Triple = (Double, Double, Double)

    /// What eyes without the first or second kind of cones make of a colour (Machado, Oliveira and Fernandes, 2009).
    private static let eyes: [(name: String, rows: [[Double]])] = [
        ("all", [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        (
            "no red",
            [
                [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ]
        ),
        (
            "no green",
            [
                [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ]
        ),
    ]

    private func linear(_ text: String) -> [Double] {
        let digits = Array(text.dropFirst())
        return (0..<3).map { place in
            let value = Double(Int(String(digits[place * 2...place * 2 + 1]), radix: 16) ?? 0) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
    }

    /// Oklab, in which distances are as far as they look.
    private func lab(_ rgb: [Double]) -> [Double] {
        let cones = [
            [0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ].map { row in cbrt(zip(row, rgb).reduce(0) { $0 + $1.0 * $1.1 }) }
        return [
            [0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ].map { row in zip(row, cones).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    private func seen(_ text: String, by eye: [[Double]]) -> [Double] {
        let rgb = linear(text)
        return lab(eye.map { row in min(1, max(0, zip(row, rgb).reduce(0) { $0 + $1.0 * $1.1 })) })
    }

    private func luminance(_ text: String) -> Double {
        zip([0.2126, 0.7152, 0.0722], linear(text)).reduce(0) { $0 + $1.0 * $1.1 }
    }

    private func contrast(_ one: String, _ other: String) -> Double {
        let (a, b) = (luminance(one), luminance(other))
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    @Test(
        "Any two category colours are distinguishable, also with red-green colour blindness",
        arguments: [true, false]
    )
    func distances(isDark: Bool) {
        let colors = ReportColors.categories.map { ($0.id, isDark ? $0.color.dark : $0.color.light) }
        #expect(colors.count == 12)
        for (name, eye) in Self.eyes {
            for (place, one) in colors.enumerated() {
                for other in colors[..<place] {
                    let (a, b) = (seen(one.1, by: eye), seen(other.1, by: eye))
                    let distance = sqrt(zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) })
                    #expect(distance > (name == "all" ? 0.12 : 0.07), "\(one.0) and \(other.0), \(name)")
                }
            }
        }
    }

    @Test("Category colours have at least 3:1 contrast with the page, and text colours at least 4.5:1")
    func contrasts() {
        for (id, color) in ReportColors.categories {
            #expect(contrast(color.light, "#FFFFFFFF") >= 3, "\(id)")
            #expect(contrast(color.dark, "#1C1C1EFF") >= 3, "\(id)")
        }
        for text in [ReportColors.secondary, ReportColors.demo] {
            #expect(contrast(text.light, "#FFFFFFFF") >= 4.5)
            #expect(contrast(text.dark, "#1C1C1EFF") >= 4.5)
            #expect(contrast(text.light, ReportColors.ground.light) >= 4.5)
            #expect(contrast(text.dark, ReportColors.ground.dark) >= 4.5)
        }
        #expect(contrast(ReportColors.warning.light, ReportColors.warningGround.light) >= 4.5)
        #expect(contrast(ReportColors.warning.dark, ReportColors.warningGround.dark) >= 4.5)
    }

    @Test("Eleven apps have different colours, and the colours do not depend on the order of the apps")
    func apps() {
        let ids: [String?] = (0..<11).map { "app\($0)" }

        let one = ReportColors.of(ids, .app)
        let other = ReportColors.of(ids.reversed(), .app)

        #expect(one == other)
        #expect(Set(one.values.map(\.light)).count == 11)
        #expect(ReportColors.of(["games", nil], .category)[nil] == ReportColors.rest)
    }
}
