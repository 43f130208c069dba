import Foundation
import STContracts
import STRendering
import STTestSupport
import Testing

/// Compares pages with golden files, so that a person reviews every change. `SCREENTIME_GOLDEN=write swift test --filter
/// GoldenTests` writes the files again.
@Suite("Golden files of pages")
struct GoldenTests {
    private static let folder = BuiltTree.source("Tests/Golden/Rendering/")

    private func check(_ text: String, _ name: String) throws {
        let path = Self.folder + name
        if ProcessInfo.processInfo.environment["SCREENTIME_GOLDEN"] == "write" {
            try FileManager.default.createDirectory(atPath: Self.folder, withIntermediateDirectories: true)
            try (text + "\n").write(toFile: path, atomically: true, encoding: .utf8)
        }
        let kept = try String(contentsOfFile: path, encoding: .utf8)
        let lines = zip(kept.split(separator: "\n"), (text + "\n").split(separator: "\n"))
        let first = lines.first { $0 != $1 }
        #expect(
            kept == text + "\n",
            "\(name): \(first.map { "\($0.1.prefix(400)) was \($0.0.prefix(400))" } ?? "")"
        )
    }

    @Test(
        "The terminal text of a page matches its golden file",
        arguments: [("en", 80), ("ko", 40), ("ko", 120)]
    )
    func terminal(language: String, columns: Int) throws {
        for (name, page) in [("day", SamplePages.day(language)), ("app", SamplePages.app(language))] {
            let lines = PageTerminal.lines(page, columns: columns, colour: false)
            try check(lines.joined(separator: "\n"), "\(name)-\(language)-\(columns).txt")
        }
    }

    /// The content of `main` with one line for each element.
    @Test("The HTML of a page matches its golden file", arguments: ["en", "ko"])
    func html(language: String) throws {
        var maker = PageMaker()
        maker.vertical(.leading, spacing: 16) { page in
            page.text(
                SamplePages.pick(language, english: "Today", korean: "오늘"),
                size: 28,
                weight: 700,
                heading: 1
            )
            page.chart(SamplePages.pie(language), height: 200)
            page.inside(PageNode(kind: .list)) { list in
                list.horizontal { row in
                    row.add(PageNode(kind: .image, image: PageImage(kind: .system, name: "moon.fill")))
                    row.text(SamplePages.pick(language, english: "Downtime", korean: "다운타임"))
                    row.add(PageNode(kind: .spacer))
                    row.add(PageNode(kind: .progress, value: 0.25))
                }
            }
        }
        let document = PageHTML.document(maker.page(language), HTMLOptions(theme: .light))
        let start = try #require(document.range(of: "<main>"))
        let end = try #require(document.range(of: "</main>"))
        let main = String(document[start.lowerBound..<end.upperBound]).replacing("><", with: ">\n<")
        try check(main, "small-\(language).html")
    }
}
