import STCommandCore
import STContracts
import STPlatform
import STTestSupport
import Testing

@Suite("A report as a picture", .timeLimit(.minutes(5)))
struct ReportFileTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private var page: Page {
        let words = PageNode(kind: .text, runs: [PageRun(text: "Today 오늘")])
        return Page(language: "ko", controls: [], variants: [PageVariant(chosen: [], nodes: [words])])
    }

    @Test("`screentime-draw` draws a report as PNG and as SVG")
    func drawn() throws {
        for (format, start) in [(DrawFormat.png, [0x89, 0x50, 0x4E, 0x47]), (.svg, Array("<?xml".utf8))] {
            let path = scratch.file("report.\(format.rawValue)")
            let answer = try ReportPicture.write(page, to: path, width: 300, scale: 2, format: format)
            let bytes = try AtomicFile.read(path, limitBytes: 1 << 20)

            #expect(bytes.starts(with: start) && answer.bytes == bytes.count)
            #expect(answer.width == (format == .png ? 600 : 300) && answer.warnings == [])
        }
    }

    @Test("Errors of `screentime-draw`, an unwritable path and a missing program are reported")
    func refused() throws {
        let cases: [(String, () throws -> DrawPageAnswer)] = [
            ("draw.bad_size", { try ReportPicture.write(page, to: scratch.file("a"), width: 9e9) }),
            ("draw.bad_path", { try ReportPicture.write(page, to: "a.png") }),
            ("draw.no_such_choice", { try ReportPicture.write(page, to: scratch.file("a"), chosen: [1]) }),
        ]
        for (code, write) in cases {
            #expect { try write() } throws: { ($0 as? Problem)?.code == code }
        }
        #expect { try ReportPicture.write(page, to: scratch.file("no/folder.png")) } throws: {
            ($0 as? Problem)?.message.contains("no/folder.png") == true
        }
        let missing = DrawingRunner(path: scratch.file("none"))
        let request = DrawPageRequest(page: page, output: scratch.file("a"))
        #expect { try ReportPicture.write(request, with: missing) } throws: {
            ($0 as? Problem)?.message.contains("to show the report as text") == true
        }
    }

    @Test(
        "`screentime-draw` receives --page and the variable for fonts, but not an unrelated variable"
    )
    func environment() throws {
        let script =
            "#!/bin/sh\n[ \"$1\" = --page ] || exit 9\n/usr/bin/env >\(scratch.file("env"))\n"
            + #"echo '{"width":1,"height":2,"bytes":3,"is_cut":true,"warnings":[]}'"#
        try scratch.write(script + "\n", to: "draw", mode: 0o700)
        let request = DrawPageRequest(page: page, output: scratch.file("a"))
        let environment = ["HOME": "/home/person", "SECRET_OF_MINE": "1", "FONTCONFIG_FILE": "/fonts"]
        let child = DrawingRunner(path: scratch.file("draw"))
        let answer = try ReportPicture.write(request, with: child, environment)
        let told = ScratchDirectory.text(scratch.file("env"))

        #expect(answer == DrawPageAnswer(width: 1, height: 2, bytes: 3, isCut: true, warnings: []))
        #expect(told.contains("FONTCONFIG_FILE=/fonts") && !told.contains("SECRET_OF_MINE"))
    }
}
