import Foundation
import STContracts
import STRendering
import Testing

@Suite("A page as HTML")
struct HTMLTests {
    @Test("pages are written where somebody wants to look at them", .enabled(if: HTMLTests.folder != nil))
    func look() throws {
        let folder = try #require(Self.folder)
        for language in ["en", "ko"] {
            for theme in [HTMLTheme.light, .dark] {
                for (name, page) in [("day", SamplePages.day(language)), ("app", SamplePages.app(language))] {
                    let text = PageHTML.document(page, HTMLOptions(theme: theme))
                    for columns in [40, 80, 120] {
                        let lines = PageTerminal.lines(page, columns: columns, colour: theme == .dark)
                        try lines.joined(separator: "\n").write(
                            toFile: "\(folder)/\(name)-\(language)-\(theme)-\(columns).txt",
                            atomically: true,
                            encoding: .utf8
                        )
                    }
                    try text.write(
                        toFile: "\(folder)/\(name)-\(language)-\(theme).html",
                        atomically: true,
                        encoding: .utf8
                    )
                }
            }
        }
        #expect(FileManager.default.fileExists(atPath: folder))
    }

    static let folder = ProcessInfo.processInfo.environment["SCREENTIME_PAGES"]
}
