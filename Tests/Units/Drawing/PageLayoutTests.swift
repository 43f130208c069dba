import STContracts
import STDrawing
import STPlatform
import Testing

@Suite("Layout of pages")
struct PageLayoutTests {
    private typealias Bench = PageBench

    @Test("Every node of a random page is inside its parent", arguments: [390.0, 640, 1200])
    func inside(width: Double) throws {
        for seed in 1...150 {
            var random = RandomPage(seed: UInt64(seed), isMild: true)
            let drawn = try Bench.draw(random.nodes(), width: width)

            #expect(drawn.misplaced() == [], "seed \(seed)")
            let sheet = Box(x: 0, y: 0, width: width, height: Double(drawn.height)).expanded(0.6)
            #expect(drawn.isCut || drawn.parts.allSatisfy { sheet.contains($0.box) }, "seed \(seed)")
        }
    }

    @Test("The nodes of a stack do not overlap, and their gaps equal the spacing")
    func order() throws {
        for kind in [PageKind.vertical, .horizontal] {
            let inner = (1...4).map { Bench.text("number \($0)", size: Double(10 + $0)) }
            let drawn = try Bench.draw(Bench.stack(kind, inner, spacing: 7))
            let boxes = drawn.all(.text).map(\.box)

            for (one, next) in zip(boxes, boxes.dropFirst()) {
                #expect(abs((kind == .vertical ? next.y - one.maxY : next.x - one.maxX) - 7) < 0.1)
            }
            #expect(boxes.count == 4)
        }
    }

    @Test("Spacers share the room that other views leave")
    func spacers() throws {
        let row = [Bench.text("one"), Bench.spacer, Bench.text("two"), Bench.spacer, Bench.text("three")]
        let drawn = try Bench.draw(Bench.stack(.horizontal, row))
        let widths = drawn.all(.spacer).map(\.box.width)

        #expect(widths.count == 2 && abs(widths[0] - widths[1]) < 0.01 && widths[0] > 200)
        #expect(abs((drawn.text("three")?.box.maxX ?? 0) - 620) < 0.1)

        // A text or a bar receives its preferred width before a spacer.
        let long = String(repeating: "word ", count: 13)
        let texts = try Bench.draw(Bench.stack(.horizontal, [Bench.text(long), Bench.spacer]))
        #expect(texts.all(.text).first?.lines == 1)
        let bar = [PageNode(kind: .progress)]
        let bars = try Bench.draw(Bench.stack(.horizontal, [bar, Bench.spacer, Bench.text("1h")]))
        #expect((bars.all(.progress).first?.box.width ?? 0) > 500)
        #expect(bars.all(.spacer).first?.box.width == 8)
        let after = try Bench.draw(Bench.stack(.horizontal, [Bench.spacer, bar, Bench.text("1h")]))
        #expect((after.all(.progress).first?.box.width ?? 0) > 500)
    }

    @Test("A vertical spacer in a frame pushes its neighbours apart")
    func spacersDown() throws {
        let column = Bench.stack(.vertical, [Bench.text("top"), Bench.spacer, Bench.text("end")])
        let drawn = try Bench.draw(Bench.framed(column, width: 200, height: 300))

        #expect(abs((drawn.text("top")?.box.y ?? 0) - 20) < 0.1)
        #expect(abs((drawn.text("end")?.box.maxY ?? 0) - 320) < 0.1)
    }

    @Test("A cut text ends with an ellipsis, and an uncut text has all of its lines")
    func ellipsis() throws {
        let long = String(repeating: "오늘은 here until midnight ", count: 12)
        for (width, height) in [(40.0, nil), (40, 30.0), (200, 50), (200, nil), (600, 22), (600, 300)] {
            for lines in [nil, 1, 3] {
                let text = Bench.text(long, lines: lines)
                let drawn = try Bench.draw(Bench.framed(text, width: width, height: height))
                let part = try #require(drawn.all(.text).first)

                #expect(part.box.width <= width + 0.1 && part.box.height <= max(height ?? .infinity, 22.1))
                #expect(abs(part.box.height - Double(part.lines) * 22) < 0.5)
                let free = try Bench.draw(Bench.framed(Bench.text(long), width: width, height: nil))
                let whole = try #require(free.all(.text).first)
                #expect(!whole.isCut)
                #expect(part.isCut == (part.lines < whole.lines), "\(width) \(height ?? 0) \(lines ?? 0)")
            }
        }
    }

    @Test("A frame has its size or fills the available room, and aligns its content")
    func frames() throws {
        let text = Bench.text("x")
        for (align, x, y) in [(PageAlign.topLeading, 0.0, 0.0), (.center, 0.5, 0.5), (.bottomTrailing, 1, 1)]
        {
            let drawn = try Bench.draw(Bench.framed(text, width: 100, height: 80, align: align))
            let (box, inner) = (drawn.parts[0].box, drawn.parts[1].box)

            #expect(box.width == 100 && box.height == 80 && box.midX == 320)
            #expect(abs(inner.x - box.x - (100 - inner.width) * x) < 0.01)
            #expect(abs(inner.y - box.y - (80 - inner.height) * y) < 0.01)
        }
        let filling = try Bench.draw(Bench.box(text, PageBox(frame: PageFrame(fillsWidth: true))))
        #expect(filling.parts[0].box.width == 600)
        let padded = PageBox(padding: Bench.everySide(10), frame: PageFrame(maxWidth: 300))
        let most = try Bench.draw(Bench.box(Bench.shape(.rectangle, "#FF0000FF"), padded))
        #expect(most.parts[0].box.width == 300 && most.parts[1].box.width == 280)
    }

    @Test("Views over or behind another view have its size, and layers have the size of the largest")
    func layers() throws {
        for kind in [PageKind.over, .behind] {
            let drawn = try Bench.draw(
                Bench.of(kind, Bench.text("words"), Bench.shape(.rectangle, "#FF0000FF"))
            )
            #expect(drawn.parts[2].box == drawn.parts[1].box)
        }
        let small = Bench.framed(Bench.shape(.circle, "#FF0000FF"), width: 20, height: 20)
        let large = Bench.framed(Bench.shape(.circle, "#00FF00FF"), width: 90, height: 60)
        let drawn = try Bench.draw(Bench.stack(.layered, [small, large], align: .bottomTrailing))
        #expect(drawn.parts[0].box == drawn.parts[3].box)
        #expect(drawn.parts[1].box.maxX == drawn.parts[3].box.maxX)
        #expect(drawn.parts[1].box.maxY == drawn.parts[3].box.maxY)
    }

    @Test("Texts of different sizes can share a baseline")
    func baselines() throws {
        let row = Bench.stack(
            .horizontal,
            [Bench.text("Hg", size: 40), Bench.text("Hg", size: 12)],
            align: .baseline
        )
        let drawn = try Bench.draw(row, scale: 4)
        // The lowest ink of an H is on the line.
        let feet = drawn.all(.text).map { part in
            let column =
                Int((part.box.x + part.box.width * 0.06) * 4)...Int((part.box.x + part.box.width * 0.3) * 4)
            return (Int(part.box.y * 4)..<Int(part.box.maxY * 4)).last { y in
                column.contains { drawn.canvas.color(x: $0, y: y).luminance < 0.4 }
            }
        }
        let (one, other) = (try #require(feet[0]), try #require(feet[1]))
        #expect(abs(one - other) <= 2)
    }

    @Test("A grid has columns of equal width and rows as tall as their tallest cell")
    func grid() throws {
        let cells = (0..<5).map { index in
            Bench.box(
                Bench.text(index == 1 ? "two\nlines" : "\(index)"),
                PageBox(frame: PageFrame(fillsWidth: true), background: Bench.paint("#FF0000FF"))
            )
        }
        var nodes = Bench.stack(.grid, cells, spacing: 10)
        nodes[0].columns = 2
        let boxes = try Bench.draw(nodes).all(.box).map(\.box)

        #expect(boxes.map(\.width) == [295, 295, 295, 295, 295])
        #expect(boxes.map { $0.x } == [20, 325, 20, 325, 20])
        #expect(abs(boxes[2].y - (20 + 44 + 10)) < 0.5)
        #expect(abs(boxes[0].midY - boxes[1].midY) < 0.01)
    }

    @Test("A picture that is scaled to fit keeps its proportions")
    func pictures() throws {
        let data = try PagePixelTests.data(40, height: 20)
        let wide = try Bench.draw(Bench.image(data, scaling: "fit"))
        #expect(wide.parts[0].box.width == 600 && wide.parts[0].box.height == 300)
        let row = Bench.stack(
            .horizontal,
            [Bench.framed(Bench.image(data, scaling: "fit"), width: nil, height: 50), Bench.spacer]
        )
        #expect(try Bench.draw(row).all(.image).first?.box.width == 100)
        #expect(try Bench.draw(Bench.image(data)).parts[0].box.width == 40)
    }

    @Test("The title of a page is above its content, unless the content has its own heading")
    func titles() throws {
        var page = Bench.page(Bench.text("body"))
        page.title = "Screen Time"
        let drawn = try PageDrawing.draw(PageDrawingRequest(page: page))
        #expect(drawn.text("Screen Time")?.box.x == 20)
        #expect((drawn.text("Screen Time")?.box.maxY ?? 0) + 20 == drawn.text("body")?.box.y)
        page.variants[0].nodes[0].heading = 1
        #expect(try PageDrawing.draw(PageDrawingRequest(page: page)).text("Screen Time") == nil)
    }

    @Test("A list has a card for each section below its heading")
    func lists() throws {
        var first = Bench.stack(.section, [Bench.text("one"), Bench.text("two")])
        first[0].runs = [PageRun(text: "Most used")]
        first[0].heading = 2
        let sections = [first, Bench.stack(.section, [Bench.text("three")])]
        let drawn = try Bench.draw(Bench.stack(.list, sections + [Bench.text("four"), Bench.text("five")]))
        let words = ["Most used", "one", "two", "three", "four", "five"]
        let heights = try words.map { try #require(drawn.text($0)).box.y }

        #expect(heights == heights.sorted())
        // A row, a gap and a row of the next card.
        #expect(heights[2] - heights[1] == 45 && heights[3] - heights[2] > 60)
        #expect(drawn.all(.divider).count == 2)
        let card = DrawColor(hex: 0xF4F4F6)
        #expect(drawn.ink(600, heights[1] + 5) == card && drawn.ink(600, heights[0] + 5) == .white)
    }
}
