import Glibc
import STCommandCore
import STContracts
import STPlatform
import STRendering
import STTestSupport
import Testing

/// Pictures and pages of every built-in report, for people to look at: in the folder that `SCREENTIME_PICTURES` names.
@Suite("Pictures of reports", .timeLimit(.minutes(10)))
struct ReportPictureTests {
    private static let looks: [(DisplayLanguage, DrawAppearance)] = [
        (.english, .light), (.english, .dark), (.korean, .light), (.korean, .dark),
    ]

    @Test(
        "Each built-in report is drawn differently in light and dark, and in English and Korean",
        arguments: ReportTemplate.allCases
    )
    func pictures(scene: ReportTemplate) throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let folder = getenv("SCREENTIME_PICTURES").map { String(cString: $0) } ?? scratch.path
        let desk = SceneDesk()
        let child = DrawingRunner(path: try programPath("screentime-draw"))
        var pictures: Set<[UInt8]> = []
        var documents: Set<String> = []
        for (language, appearance) in Self.looks {
            let page = try desk.page(scene, language: language)
            let name = "\(folder)/\(scene.rawValue)-\(language.code)"
            let document = PageHTML.document(page)
            try AtomicFile.write(Array(document.utf8), to: "\(name).html", durable: false)
            documents.insert(document)
            let text = PageTerminal.lines(page, columns: 100, colour: false).joined(separator: "\n") + "\n"
            try AtomicFile.write(Array(text.utf8), to: "\(name).txt", durable: false)
            let png = "\(name)-\(appearance.rawValue).png"
            let request = DrawPageRequest(page: page, appearance: appearance, output: png)
            let answer = try child.draw(request)
            #expect(answer.warnings == [], "\(name)")
            #expect(!answer.isCut)
            pictures.insert(try AtomicFile.read(png, limitBytes: 8 << 20))
        }
        #expect(pictures.count == 4)
        #expect(pictures.allSatisfy { $0.count > 4_000 })
        #expect(documents.count == 2)
        #expect(documents.allSatisfy { $0.utf8.count > 2_000 })
    }

    /// Beside this test.
    private func programPath(_ name: String) throws -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { throw SystemError.last("readlink") }
        let own = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return (own.lastIndex(of: "/").map { String(own[..<$0]) } ?? ".") + "/" + name
    }
}
