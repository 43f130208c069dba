import Foundation
import STContracts
import STDrawing
import STPlatform
import STTestSupport
import Testing

@Suite("The program screentime-draw with --page", .timeLimit(.minutes(5)))
struct PageProgramTests {
    private let scratch: ScratchDirectory
    private let program: DrawingProgram

    init() throws {
        scratch = try ScratchDirectory()
        program = DrawingProgram(scratch: scratch)
    }

    private static let page: Page = {
        let text = PageBench.text("Today <&> 오늘")
        var page = PageBench.page(PageBench.stack(.vertical, [text, PageBench.shape(.circle, "#FF0000FF")]))
        page.title = "Test"
        return page
    }()

    private func run(_ change: (inout DrawPageRequest) -> Void = { _ in }) throws -> DrawingProgram.Run {
        var request = DrawPageRequest(page: Self.page, output: scratch.file("a.png"))
        change(&request)
        return try program.run(bytes: request.encodedBody(), ["--page"])
    }

    @Test("The drawn page is written as a private PNG, and the reply contains its size")
    func png() throws {
        let run = try run { $0.scale = 2 }
        let answer = try run.answer(DrawPageAnswer.self)
        var scene = PageDrawingRequest(page: Self.page)
        scene.scale = 2
        let drawn = try PageDrawing.draw(scene)
        let picture = try AtomicFile.read(scratch.file("a.png"), limitBytes: 4 << 20)

        #expect(run.status.isSuccess && run.errors.isEmpty)
        let mode = try FileManager.default.attributesOfItem(atPath: scratch.file("a.png"))[.posixPermissions]
        #expect(mode as? Int == 0o600, "only its owner may read what a person did all day")
        #expect(answer.width == 1280 && answer.height == drawn.height && answer.bytes == picture.count)
        #expect(!answer.isCut && answer.warnings == [])
        #expect(try PictureFile.decoded(picture, sideMax: 9000).argb32() == drawn.canvas.argb32())
    }

    @Test("A page can be written as an SVG in points, with its text for accessibility")
    func svg() throws {
        let answer = try run {
            $0.format = .svg
            $0.width = 400
            $0.scale = 3
        }.answer(DrawPageAnswer.self)
        let text = ScratchDirectory.text(scratch.file("a.png"))

        #expect(answer.width == 400 && answer.bytes == text.utf8.count)
        #expect(text.contains("width=\"400\" height=\"\(answer.height)\""))
        #expect(text.contains("<title>Test</title>") && text.contains("Today &lt;&amp;&gt; 오늘"))
        #expect(text.contains("role=\"img\" lang=\"en\"") && !text.contains("<image"))
        let xml = XMLish(text)
        #expect(xml.isBalanced)
    }

    @Test("A page can be written to standard output, with the reply on standard error")
    func standardOutput() throws {
        let png = try run { $0.output = "-" }
        #expect(png.output.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(try DrawPageAnswer.decodedBody(Array(png.errors.utf8)).width == 640)
    }

    @Test("A page that is taller than its picture is cut with a warning")
    func cut() throws {
        let rows = (0..<600).map { PageBench.text("row \($0)") }
        let long = PageBench.page(PageBench.stack(.vertical, rows))
        let short = try run {
            $0.page = long
            $0.height = 300
        }.answer(DrawPageAnswer.self)
        #expect(short.height == 300 && short.isCut)
        #expect(short.warnings.contains { $0.english.contains("cut off") })
        let tall = try run {
            $0.page = long
            $0.width = 4000
            $0.scale = 4
        }.answer(DrawPageAnswer.self)
        #expect(tall.isCut && tall.width == 16_000 && tall.width * tall.height <= DrawLimits.pixelsMax)
        let whole = try run { $0.page = long }.answer(DrawPageAnswer.self)
        #expect(!whole.isCut && whole.height > 600 * 22)
    }

    @Test("A page that is too wide is drawn up to its width with a warning")
    func wide() throws {
        let run = try run {
            $0.page = PageBench.page(PageBench.framed(PageBench.text("x"), width: 3_000, height: 20))
        }
        let answer = try run.answer(DrawPageAnswer.self)
        #expect(answer.width == 640)
        #expect(answer.warnings.contains { $0.english.contains("wider than the picture") })
    }

    @Test("An invalid page request is rejected with a code, and no file is written")
    func refused() throws {
        let cases: [(String, (inout DrawPageRequest) -> Void)] = [
            ("draw.bad_size", { $0.width = 100_000 }), ("draw.bad_size", { $0.width = 0 }),
            ("draw.bad_size", { $0.height = -1 }), ("draw.bad_size", { $0.height = 1e9 }),
            ("draw.bad_scale", { $0.scale = 0 }), ("draw.bad_scale", { $0.scale = 100 }),
            ("draw.bad_appearance", { $0.appearance = .unknown }),
            ("draw.bad_format", { $0.format = .argb32 }), ("draw.bad_format", { $0.format = .unknown }),
            ("draw.bad_path", { $0.output = "relative.png" }), ("draw.bad_path", { $0.output = "" }),
            ("draw.no_such_choice", { $0.chosen = [3] }), ("draw.no_such_choice", { $0.chosen = [] }),
            ("page.tree", { $0.page.variants[0].nodes[0].count = 9 }),
            ("page.language", { $0.page.language = "../.." }),
            ("page.variants", { $0.page.variants = [] }),
            ("page.node", { $0.page.variants[0].nodes[2].shape = nil }),
        ]
        for (code, change) in cases {
            let run = try run {
                // A page with a control, for which an empty choice is invalid.
                if code == "draw.no_such_choice" {
                    let control = PageControl(kind: .choice, label: "a", options: ["b"], chosen: 0)
                    $0.page = PageBench.page(PageBench.text("x"), controls: [control])
                }
                change(&$0)
            }
            #expect(run.status == .exited(2), "\(code)")
            #expect(try run.problem().code == code)
            #expect(run.errors.hasPrefix("screentime-draw: "))
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.file("a.png")))
    }

    @Test("A request that is not a page, too large or for another mode is rejected")
    func bytes() throws {
        let shield = try DrawRequest(look: Looks.english, width: 64, height: 48, output: "-").encodedBody()
        for bytes in [Array("{".utf8), Array("null".utf8), [], shield] {
            #expect(try program.run(bytes: bytes, ["--page"]).status == .exited(2))
        }
        let large = [UInt8](repeating: 0x20, count: DrawLimits.requestBytes + 1)
        #expect(try program.run(bytes: large, ["--page"]).problem().code == "draw.request_too_large")
        for arguments in [["--pages"], ["--page", "more"], ["a.png"]] {
            let run = try program.run(bytes: shield, arguments)
            #expect(try run.problem().code == "draw.bad_argument")
        }
    }

    @Test("If the output path of a page cannot be written, the error names it")
    func notWritten() throws {
        let run = try run { $0.output = scratch.file("no/such/folder.png") }
        #expect(run.status == .exited(1))
        #expect(try run.problem().message.contains("/no/such/folder.png"))
    }
}

/// Checks that the tags of a text are balanced.
private struct XMLish {
    let isBalanced: Bool

    init(_ text: String) {
        var open: [Substring] = []
        var isSound = true
        for piece in text.split(separator: "<").dropFirst() {
            guard let end = piece.firstIndex(of: ">") else {
                isSound = false
                break
            }
            let tag = piece[..<end]
            if tag.hasPrefix("?") || tag.hasSuffix("/") { continue }
            if tag.hasPrefix("/") {
                if open.popLast() != tag.dropFirst() { isSound = false }
            } else {
                open.append(tag.prefix { $0 != " " && $0 != "\n" })
            }
        }
        isBalanced = isSound && open.isEmpty
    }
}
