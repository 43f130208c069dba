import STContracts
import STDrawing
import STPlatform
import Testing

@Suite("The request for more time on a shield")
struct MoreTests {
    private static let offers: [(language: String, more: DrawMore)] = [
        ("en", DrawMore(label: "Ask for more time", note: "15 minutes at a time; Mum will be asked.")),
        ("ko", DrawMore(label: "시간 더 요청하기", note: "엄마에게 물어봅니다.")),
        (
            "de",
            DrawMore(label: "Um fünfzehn weitere Minuten bitten", note: "Großmutter wird benachrichtigt.")
        ),
        ("ar", DrawMore(label: "طلب مزيد من الوقت", note: "خمس عشرة دقيقة في كل مرة")),
        ("en", DrawMore(label: nil, note: "Asked. You will hear of the answer.")),
    ]

    private func scene(_ more: DrawMore, language: String, width: Int, height: Int, scale: Double)
        -> ShieldDrawingRequest
    {
        let look = language == "ko" ? Looks.korean : Looks.english
        var scene = Looks.scene(look, width: Int(Double(width) * scale), height: Int(Double(height) * scale))
        scene.scale = scale
        scene.language = language
        scene.more = more
        return scene
    }

    @Test(
        "The element for more time is below the buttons, inside the window, readable and does not overlap",
        arguments: [
            (320, 200), (400, 300), (640, 480), (1280, 800), (1920, 1080), (390, 844), (1920, 240),
            (3840, 2160),
        ]
    )
    func fits(width: Int, height: Int) throws {
        for (language, more) in Self.offers {
            for scale in width > 2_000 ? [1.0] : [1.0, 1.25, 2.0] {
                for face in [DrawAppearance.light, .dark] {
                    var scene = scene(more, language: language, width: width, height: height, scale: scale)
                    scene.appearance = face
                    let drawn = try ShieldDrawing.draw(scene)
                    #expect(drawn.isInside(), "\(language) \(width)x\(height) \(scale)")
                    let primary = try #require(drawn.buttons.first { $0.button == .primary }?.box)
                    guard more.label != nil else {
                        #expect(drawn.spots.isEmpty && drawn.text(.note) != nil)
                        continue
                    }
                    let spot = try #require(drawn.spots.first { $0.id == DrawnSpot.moreTime }?.box)
                    #expect(spot.y >= primary.maxY - 1)
                    for button in drawn.buttons {
                        #expect(!button.box.expanded(-1).overlaps(spot.expanded(-1)))
                    }
                    let label = try #require(drawn.text(.more))
                    #expect(label.contrast >= 4.5 && label.missingGlyphs == 0)
                    if let note = drawn.text(.note) {
                        #expect(
                            note.contrast >= 4.5 && !note.ink.expanded(-1).overlaps(label.ink.expanded(-1))
                        )
                    }
                    if width >= 640, height > 300 { #expect(drawn.text(.note) != nil && drawn.icon != nil) }
                }
            }
        }
    }

    @Test("The element for more time is not larger than the buttons, and a shield without an offer has none")
    func quiet() throws {
        let with = try ShieldDrawing.draw(
            scene(Self.offers[0].more, language: "en", width: 1280, height: 800, scale: 1)
        )
        let primary = try #require(with.text(.primary)?.ink)
        #expect(try #require(with.text(.more)?.box).height < #require(with.text(.secondary)?.box).height + 1)
        #expect(primary.height > 0)
        let without = try ShieldDrawing.draw(Looks.scene(Looks.english))
        #expect(without.spots.isEmpty && without.text(.more) == nil && without.text(.note) == nil)
    }

    @Test("The focus ring of the element for more time changes only that element")
    func focus() throws {
        var scene = scene(Self.offers[1].more, language: "ko", width: 1280, height: 800, scale: 1)
        let plain = try ShieldDrawing.draw(scene)
        scene.more?.isFocused = true
        let ringed = try ShieldDrawing.draw(scene)
        let spot = try #require(plain.spots.first?.box)
        let changed = differences(plain.canvas, ringed.canvas)
        #expect(changed.count > 200)
        #expect(changed.allSatisfy { spot.expanded(1).contains($0) })
    }

    @Test("The element for more time is readable on any background colour")
    func colours() throws {
        for colour in ["#FF0000FF", "#0A62DBFF", "#808080FF", "#000000FF", "#FFFF00FF", "#7DB4FFFF"] {
            var scene = scene(Self.offers[0].more, language: "en", width: 800, height: 600, scale: 1)
            scene.look.background = Looks.colour(colour)
            let drawn = try ShieldDrawing.draw(scene)
            #expect(try #require(drawn.text(.more)).contrast >= 4.5)
            #expect(try #require(drawn.text(.note)).contrast >= 4.5)
        }
    }
}
