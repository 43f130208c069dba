import Glibc
import STContracts
import STDrawing
import STPlatform
import STTestSupport
import Testing

@Suite("Drawing of hostile pages", .serialized, .timeLimit(.minutes(10)))
struct PageHostileTests {
    private typealias Bench = PageBench

    @Test("Random pages are drawn or rejected with a problem")
    func random() throws {
        var drawn = 0
        for seed in 1...160 {
            var random = RandomPage(seed: UInt64(seed), isMild: false, depthMax: 3 + seed % 12)
            let nodes = random.nodes()
            do throws(Problem) {
                var scene = PageDrawingRequest(page: Bench.page(nodes))
                scene.width = [120, 390, 640, 1_000][seed % 4]
                let page = try PageDrawing.draw(scene)
                drawn += 1
                #expect(page.width == Int(scene.width) && page.height >= 16)
                #expect(
                    page.parts.allSatisfy { $0.box.x.isFinite && $0.box.width.isFinite && $0.box.height >= 0 }
                )
                #expect(page.width * page.height <= DrawLimits.pixelsMax)
            } catch {
                #expect(error.code.hasPrefix("draw.") || error.code.hasPrefix("page."), "\(seed) \(error)")
            }
        }
        #expect(drawn > 60)
    }

    @Test(
        "Enormous letters do not affect other letters on the same page or on later pages",
        arguments: [24.0, 26, 100, -100]
    )
    func enormous(factor: Double) throws {
        let large = Bench.box(Bench.text("가 W", size: 400), PageBox(scale: factor))
        let twice = Bench.box(large, PageBox(scale: factor))
        let nodes = Bench.stack(
            .vertical,
            [
                Bench.framed(large, width: 10, height: 10), Bench.framed(twice, width: 10, height: 10),
                Bench.text("on"),
            ]
        )
        let before = try Self.pixels(Bench.draw(Bench.text("가 W", size: 400), scale: 4))
        let page = try Bench.draw(nodes, scale: 4)
        let on = try #require(page.text("on"))
        #expect(on.box.width > 10 && on.box.height > 10 && on.box.y >= 20)
        // Letters of the same font are drawn as before, so no error remains in the font.
        let after = try Self.pixels(Bench.draw(Bench.text("가 W", size: 400), scale: 4))
        #expect(before == after)
        #expect(Set(after).count > 2, "there are letters, with soft edges")
        let small = try Bench.draw(Bench.text("on"), scale: 4)
        #expect(Set(try Self.pixels(small)).count > 2)
    }

    private static func pixels(_ page: DrawnPage) throws -> [UInt32] {
        try #require(page.canvas.pixels { pixels, _ in Array(pixels) })
    }

    @Test("A random page drawn as SVG is well-formed")
    func vectors() throws {
        var drawn = 0
        for seed in 1...30 {
            var random = RandomPage(seed: UInt64(seed), isMild: seed % 2 == 0)
            let scene = PageDrawingRequest(page: Bench.page(random.nodes()))
            guard let (bytes, _) = try? PageDrawing.svg(scene) else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(Self.isWellFormed(text), "\(seed)")
            drawn += 1
        }
        #expect(drawn > 15)
        for broken in [
            "", "<svg>", "<svg></g></svg>", "<svg a=b/>", "<svg/><svg/>", "<svg>&</svg>", "<svg>\u{1}</svg>",
        ] {
            #expect(!Self.isWellFormed(broken), "\(broken)")
        }
    }

    /// A strict check of XML.
    private static func isWellFormed(_ text: String) -> Bool {
        let entities = ["amp;", "lt;", "gt;", "quot;", "apos;", "#"]
        guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 || $0 == "\n" || $0 == "\t" }),
            text.split(separator: "&", omittingEmptySubsequences: false).dropFirst().allSatisfy({ after in
                entities.contains(where: after.hasPrefix)
            })
        else { return false }
        let pieces = text.split(separator: "<", omittingEmptySubsequences: false)
        guard pieces[0].allSatisfy(\.isWhitespace) else { return false }
        var open: [Substring] = []
        var roots = 0
        for piece in pieces.dropFirst() {
            guard let end = piece.firstIndex(of: ">") else { return false }
            let tag = piece[..<end]
            if tag.hasPrefix("?") && tag.hasSuffix("?") { continue }
            if tag.hasPrefix("/") {
                guard open.popLast() == tag.dropFirst() else { return false }
            } else {
                // The text outside of attribute values.
                let outside = tag.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                    .filter { $0.offset % 2 == 0 }.map(\.element)
                guard outside.dropLast().allSatisfy({ $0.hasSuffix("=") }),
                    outside.last?.contains("=") == false
                else { return false }
                if open.isEmpty { roots += 1 }
                if !tag.hasSuffix("/") { open.append(tag.prefix { !$0.isWhitespace }) }
            }
            guard !open.isEmpty || piece[end...].dropFirst().allSatisfy(\.isWhitespace) else { return false }
        }
        return open.isEmpty && roots == 1
    }

    /// The heaviest pages that `PageCheck` accepts.
    private static let heavy: [String: [PageNode]] = [
        "stacks in stacks": (0..<199).flatMap { index in
            [PageNode(kind: index % 2 == 0 ? .horizontal : .vertical, count: 2)] + Bench.spacer
        } + Bench.text("end"),
        "lists in lists": (0..<199).map { _ in PageNode(kind: .list, count: 1) } + Bench.text("end"),
        "faded boxes": (0..<197).map { _ in PageNode(kind: .box, count: 1, box: PageBox(opacity: 0.99)) }
            + Bench.framed(Bench.shape(.rectangle, "#FF0000FF"), width: 3_000, height: 9_000),
        "five thousand faded": Bench.stack(
            .vertical,
            (0..<1_600).map { _ in
                Bench.box(Bench.framed(Bench.text("x"), width: 4_000, height: nil), PageBox(opacity: 0.5))
            }
        ),
        "five thousand over each other": Bench.stack(
            .layered,
            (0..<2_400).map { _ in
                Bench.framed(Bench.shape(.circle, "#FF000010"), width: 3_000, height: 3_000)
            }
        ),
        "one long text": Bench.text(String(repeating: "가나다 word ", count: 7_000)),
        "one long word": Bench.text(String(repeating: "w", count: 100_000)),
        "a narrow text": Bench.framed(
            Bench.text(String(repeating: "wide ", count: 20_000)),
            width: 1,
            height: nil
        ),
        "marks on marks": Bench.text("Z" + String(repeating: "\u{0301}", count: 50_000)),
        "a long path": [
            PageNode(
                kind: .shape,
                shape: PageShape(
                    kind: .path,
                    path: "M0 0" + String(repeating: "a9 9 0 1 1 7-7", count: 8_000),
                    stroke: Bench.paint("#000000FF"),
                    lineWidth: 90_000,
                    trimFrom: 0.1,
                    trimTo: 0.9
                )
            )
        ],
        "many shadows": Bench.stack(
            .layered,
            (0..<1_200).map { _ in
                Bench.box(
                    Bench.framed(Bench.spacer, width: 3_000, height: 3_000),
                    PageBox(background: Bench.paint("#FFFFFFFF"), radius: 50, shadow: 90_000)
                )
            }
        ),
        "many round gradients": Bench.stack(
            .layered,
            (0..<2_000).map { _ in
                let stops = [
                    PageStop(color: Bench.color("#FF0000FF"), at: 0),
                    PageStop(color: Bench.color("#00FF0000"), at: 1),
                ]
                let fill = PagePaint(kind: .angular, stops: stops)
                return [PageNode(kind: .shape, shape: PageShape(kind: .rectangle, fill: fill))]
            }
        ),
    ]

    @Test(
        "Deep, long or heavy pages are drawn or rejected within limits of time and memory",
        arguments: heavy.keys.sorted()
    )
    func bounded(name: String) throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let nodes = try #require(Self.heavy[name])
        let request = DrawPageRequest(
            page: Bench.page(nodes),
            width: 4000,
            height: name == "one long text" ? nil : 1_500,
            scale: 2,
            output: scratch.file("a.png")
        )
        let program = DrawingProgram(scratch: scratch)
        let run = try program.run(bytes: request.encodedBody(), ["--page"], limit: "-v 1200000")

        // The program draws or rejects the page. It neither crashes nor reaches a limit.
        guard run.status.isSuccess else {
            #expect(
                try run.problem().code == "draw.bad_page",
                "\(name) \(run.status) \(run.errors.prefix(300))"
            )
            return
        }
        let answer = try run.answer(DrawPageAnswer.self)
        #expect(
            answer.width == 8000 && answer.height > 20 && answer.width * answer.height <= DrawLimits.pixelsMax
        )
    }
}
