import STCommandCore
import STContracts
import STPlatform
import STRendering
import STTestSupport
import Testing

/// What each built-in report looks like on a terminal, word for word.
///
/// The files come from `SCREENTIME_PICTURES=folder swift test --filter ReportPictureTests`, which writes the same texts;
/// look at the difference before you copy them to `Golden`.
@Suite("Built-in reports on a terminal")
struct ReportGoldenTests {
    private static let folder = BuiltTree.source("Tests/Golden/Command")

    @Test(
        "The terminal output of each built-in report equals its golden file",
        arguments: ReportTemplate.allCases,
        DisplayLanguage.all
    )
    func lines(scene: ReportTemplate, language: DisplayLanguage) throws {
        let page = try SceneDesk().page(scene, language: language)
        let lines = PageTerminal.lines(page, columns: 100, colour: false)
        let wanted = ScratchDirectory.text("\(Self.folder)/\(scene.rawValue)-\(language.code).txt")
        #expect(
            lines
                == wanted.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        )
    }

    @Test(
        "Each built-in report fits the terminal at four widths and has colour only if requested",
        arguments: ReportTemplate.allCases
    )
    func widths(scene: ReportTemplate) throws {
        for language in DisplayLanguage.all {
            let page = try SceneDesk().page(scene, language: language)
            for columns in [40, 60, 100, 200] {
                let lines = PageTerminal.lines(page, columns: columns, colour: false)
                #expect(lines.allSatisfy { DisplayWidth.columns($0) <= columns }, "\(scene) at \(columns)")
                #expect(!lines.contains { $0.contains("\u{1B}") })
            }
            #expect(PageTerminal.lines(page, columns: 100, colour: true).contains { $0.contains("\u{1B}[") })
        }
    }
}
