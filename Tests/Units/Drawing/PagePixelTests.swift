import Foundation
import Glibc
import STContracts
import STDrawing
import STPlatform
import Testing

@Suite("Pixels of pages")
struct PagePixelTests {
    private typealias Bench = PageBench

    static func data(_ width: Int, height: Int, ink: DrawColor = DrawColor(hex: 0xFF0000)) throws -> String {
        Data(try Looks.png(width, height: height, ink: ink)).base64EncodedString()
    }

    @Test(
        "A page picture has the requested width at every scale, and sharp edges",
        arguments: [1.0, 2, 3]
    )
    func scales(scale: Double) throws {
        let square = Bench.framed(Bench.shape(.rectangle, "#FF0000FF"), width: 33, height: 21)
        let drawn = try Bench.draw(square, width: 401, scale: scale)

        #expect(drawn.width == Int(401 * scale) && drawn.height == Int(61 * scale))
        // The pixel left of the edge has only the background, and the one right of it only the shape.
        let (x, y) = (Int((184 * scale).rounded()), Int(30 * scale))
        #expect(drawn.canvas.color(x: x - 1, y: y) == .white)
        #expect(drawn.canvas.color(x: x, y: y) == DrawColor(hex: 0xFF0000))
    }

    @Test("The light and dark appearances have their own colours and background")
    func faces() throws {
        let box = PageBox(padding: Bench.everySide(20), background: Bench.paint("#FF0000FF", "#00FF00FF"))
        for (face, ground, own) in [(DrawAppearance.light, 0xFFFFFF, 0xFF0000), (.dark, 0x151518, 0x00FF00)] {
            let drawn = try Bench.draw(Bench.box(Bench.text("x"), box), face)
            #expect(drawn.ink(3, 3) == DrawColor(hex: UInt32(ground)))
            #expect(drawn.ink(305, 25) == DrawColor(hex: UInt32(own)))
        }
    }

    @Test(
        "The text of a page contrasts with its background in both appearances",
        arguments: [DrawAppearance.light, .dark]
    )
    func words(face: DrawAppearance) throws {
        let drawn = try Bench.draw(Bench.text("████", size: 40), face)
        let ground = drawn.ink(2, 2)
        let box = try #require(drawn.parts.first?.box)
        #expect(drawn.ink(box.midX + 3, box.midY).contrast(on: ground) > 12)
    }

    @Test("Views over or behind a pie are centred on the pie without its legend")
    func middle() throws {
        func chart(_ legend: PageLegend) -> [PageNode] {
            let names = ["a", "b", "c"]
            return Bench.chart(
                PageChart(
                    marks: names.map {
                        PageMark(
                            kind: .sector,
                            series: $0,
                            angle: 1,
                            inner: PageRadius(kind: .ratio, value: 0.6)
                        )
                    },
                    series: names.map { PageSeries(name: $0, color: Bench.color("#FF0000FF")) },
                    legend: legend
                )
            )
        }
        for (legend, above) in [(PageLegend.bottom, true), (.top, false)] {
            let behind = Bench.of(.behind, chart(legend), Bench.text("B"))
            let both = try Bench.draw(
                Bench.framed(Bench.of(.over, behind, Bench.text("O")), width: 300, height: 240)
            )
            let box = try #require(both.all(.chart).first).box
            for words in ["B", "O"] {
                let middle = try #require(both.text(words)).box
                #expect(abs(middle.midX - box.midX) < 1)
                #expect(above ? middle.midY < box.midY - 8 : middle.midY > box.midY + 8)
            }
        }
        let plain = try Bench.draw(
            Bench.framed(Bench.of(.over, chart(.hidden), Bench.text("O")), width: 300, height: 240)
        )
        let (box, text) = (try #require(plain.all(.chart).first).box, try #require(plain.text("O")).box)
        #expect(abs(text.midY - box.midY) < 1)
    }

    @Test("A pie has each colour at its share, and nothing in its hole")
    func sectors() throws {
        let colors = ["#FF0000FF", "#00C000FF", "#0000FFFF"]
        let chart = PageChart(
            marks: zip(["a", "b", "c"], [2.0, 1, 1]).map {
                PageMark(kind: .sector, series: $0, angle: $1, inner: PageRadius(kind: .ratio, value: 0.5))
            },
            series: zip(["a", "b", "c"], colors).map { PageSeries(name: $0, color: Bench.color($1)) },
            legend: .hidden
        )
        let drawn = try Bench.draw(Bench.framed(Bench.chart(chart), width: 200, height: 200))
        let box = drawn.parts[1].box
        let at = { (turn: Double, radius: Double) in
            drawn.ink(box.midX + sin(turn * 2 * .pi) * radius, box.midY - cos(turn * 2 * .pi) * radius)
        }

        for (turn, color) in [(0.1, 0xFF0000), (0.4, 0xFF0000), (0.6, 0x00C000), (0.9, 0x0000FF)] {
            #expect(at(turn, 75) == DrawColor(hex: UInt32(color)), "\(turn)")
        }
        #expect(at(0.3, 20) == .white)
        #expect(at(0.3, 110) == .white)
    }

    @Test("The heights of bars are proportional to their values")
    func bars() throws {
        let values = [100.0, 50, 25, 75]
        let chart = PageChart(
            marks: values.enumerated().map {
                PageMark(
                    kind: .bar,
                    x: PageDatum(text: "\($0)"),
                    y: PageDatum(number: $1),
                    paint: Bench.paint("#FF0000FF")
                )
            },
            series: [],
            x: PageAxis(isHidden: true),
            y: PageAxis(isHidden: true, from: 0, to: 100)
        )
        let drawn = try Bench.draw(Bench.framed(Bench.chart(chart), width: 400, height: 200))
        let box = drawn.parts[1].box
        let heights = values.indices.map { index in
            let x = Int(box.x + box.width * (Double(index) + 0.5) / 4)
            return Double(
                (Int(box.y)..<Int(box.maxY)).count {
                    drawn.canvas.color(x: x, y: $0) == DrawColor(hex: 0xFF0000)
                }
            )
        }

        #expect(heights[0] > 150)
        for (height, value) in zip(heights, values) {
            #expect(abs(height / heights[0] - value / 100) < 0.03, "\(heights)")
        }
    }

    @Test("A progress bar is as long as its value, and a ring is trimmed to its part")
    func parts() throws {
        let bar = [PageNode(kind: .progress, value: 0.25, color: Bench.color("#FF0000FF"))]
        let drawn = try Bench.draw(Bench.framed(bar, width: 400, height: nil))
        let y = drawn.parts[1].box.midY
        #expect(
            drawn.ink(200, y) == DrawColor(hex: 0xFF0000) && drawn.ink(240, y) != DrawColor(hex: 0xFF0000)
        )

        var ring = PageShape(kind: .circle, stroke: Bench.paint("#FF0000FF"), lineWidth: 10)
        ring.trimTo = 0.25
        let circle = try Bench.draw(
            Bench.framed([PageNode(kind: .shape, shape: ring)], width: 100, height: 100)
        )
        let box = circle.parts[1].box
        // Clockwise from the right.
        #expect(circle.ink(box.midX + 35.4, box.midY + 35.4) == DrawColor(hex: 0xFF0000))
        #expect(circle.ink(box.midX - 35.4, box.midY - 35.4) == .white)
    }

    @Test("Gradients begin and end at their given points")
    func gradients() throws {
        let stops = [
            PageStop(color: Bench.color("#FF0000FF"), at: 0),
            PageStop(color: Bench.color("#0000FFFF"), at: 1),
        ]
        let drawn = { (kind: PagePaintKind, from: [Double]?, to: [Double]?) in
            let paint = PagePaint(kind: kind, stops: stops, from: from, to: to)
            let shape = PageShape(kind: .rectangle, fill: paint)
            return try Bench.draw(
                Bench.framed([PageNode(kind: .shape, shape: shape)], width: 100, height: 100)
            )
        }
        let linear = try drawn(.linear, [0, 0.5], [1, 0.5])
        #expect(linear.ink(272, 70).red > 0.95 && linear.ink(368, 70).blue > 0.95)
        #expect(abs(linear.ink(320, 25).red - linear.ink(320, 115).red) < 0.02)
        let radial = try drawn(.radial, nil, nil)
        #expect(radial.ink(320, 70).red > 0.95 && radial.ink(271, 21).blue > 0.95)
        let angular = try drawn(.angular, nil, nil)
        #expect(angular.ink(366, 73).red > 0.9 && angular.ink(366, 67).blue > 0.9)
    }

    @Test("Opacity, clipping, offset, rotation, border and shadow change the pixels as specified")
    func effects() throws {
        let square = { (box: PageBox) in
            try Bench.draw(
                Bench.box(Bench.framed(Bench.shape(.rectangle, "#FF0000FF"), width: 100, height: 100), box)
            )
        }
        let half = try square(PageBox(opacity: 0.5)).ink(320, 70)
        #expect(half.red == 1 && abs(half.green - 0.5) < 0.01)
        let round = try square(PageBox(clip: .circle))
        #expect(round.ink(320, 70) == DrawColor(hex: 0xFF0000) && round.ink(274, 24) == .white)
        let moved = try square(PageBox(offsetX: 60))
        #expect(moved.ink(280, 70) == .white && moved.ink(420, 70) == DrawColor(hex: 0xFF0000))
        let turned = try square(PageBox(rotation: 45))
        #expect(turned.ink(274, 24) == .white && turned.ink(320, 5) == DrawColor(hex: 0xFF0000))
        let border = try square(PageBox(border: Bench.paint("#0000FFFF"), borderWidth: 4))
        #expect(
            border.ink(271, 70) == DrawColor(hex: 0x0000FF) && border.ink(276, 70) == DrawColor(hex: 0xFF0000)
        )
        let shadow = try square(PageBox(background: Bench.paint("#FFFFFFFF"), shadow: 8))
        #expect(shadow.ink(320, 123).luminance < 0.99 && shadow.ink(320, 136) == .white)
    }

    @Test("A view behind another is drawn first, and a view over another is drawn last")
    func order() throws {
        let red = Bench.framed(Bench.shape(.rectangle, "#FF0000FF"), width: 40, height: 40)
        let blue = Bench.shape(.rectangle, "#0000FFFF")
        #expect(try Bench.draw(Bench.of(.behind, red, blue)).ink(320, 40) == DrawColor(hex: 0xFF0000))
        #expect(try Bench.draw(Bench.of(.over, red, blue)).ink(320, 40) == DrawColor(hex: 0x0000FF))
        #expect(try Bench.draw(Bench.of(.layered, red, blue)).ink(320, 40) == DrawColor(hex: 0x0000FF))
    }

    @Test("A picture on a page is drawn, and a broken one keeps its room and gives a warning")
    func images() throws {
        let good = try Bench.draw(
            Bench.framed(Bench.image(Self.data(20, height: 20), scaling: "stretch"), width: 80, height: 80)
        )
        #expect(good.ink(320, 60) == DrawColor(hex: 0xFF0000) && good.warnings == [])
        let cut = String(try Self.data(20, height: 20).prefix(80))
        for data in [
            cut, "iVBORw0KGgo=", "/9j/AAAA", Data(IconTests.claiming(60_000, 60_000)).base64EncodedString(),
        ] {
            let drawn = try Bench.draw(Bench.framed(Bench.image(data, scaling: "fit"), width: 80, height: 80))
            #expect(
                drawn.warnings.contains { $0.english.hasPrefix("A picture is left out") },
                "\(data.prefix(20))"
            )
            #expect(drawn.parts[0].box.width == 80)
        }
    }

    @Test("A switch marks its choice, and the page shows the variant of that choice")
    func choices() throws {
        let control = PageControl(kind: .choice, label: "Span", options: ["Day", "Week"], chosen: 0)
        let nodes = { (hex: String) in
            let square = Bench.framed(Bench.shape(.rectangle, hex), width: 100, height: 100)
            return Bench.stack(.vertical, [[PageNode(kind: .control, control: 0)], square])
        }
        var page = Bench.page(nodes("#FF0000FF"), controls: [control])
        page.variants.append(PageVariant(chosen: [1], nodes: nodes("#0000FFFF")))
        var scene = PageDrawingRequest(page: page)
        let first = try PageDrawing.draw(scene)
        scene.chosen = [1]
        let second = try PageDrawing.draw(scene)

        #expect(
            first.ink(320, 120) == DrawColor(hex: 0xFF0000)
                && second.ink(320, 120) == DrawColor(hex: 0x0000FF)
        )
        // The selected option has a white background.
        #expect(first.ink(30, 32) == .white && first.ink(330, 32) == DrawColor(hex: 0xE9E9EE))
        #expect(second.ink(30, 32) == DrawColor(hex: 0xE9E9EE) && second.ink(330, 32) == .white)
        scene.chosen = [2]
        #expect { try PageDrawing.draw(scene) } throws: { ($0 as? Problem)?.code == "draw.no_such_choice" }
    }
}
