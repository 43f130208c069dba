import STContracts
import STDrawing
import STPlatform
import Testing

@Suite("Colours and looks")
struct ColourTests {
    @Test("our own words stand out from our own background", arguments: [DrawAppearance.light, .dark])
    func contrast(face: DrawAppearance) throws {
        for (width, height) in [(320, 200), (1280, 800), (390, 844)] {
            var scene = Looks.scene(Looks.nothing, width, height)
            scene.appearance = face
            let drawn = try ShieldDrawing.draw(scene)

            #expect(drawn.texts.count == 3)
            for text in drawn.texts { #expect(text.contrast >= 4.5, "\(text.role) \(text.contrast)") }
        }
    }

    @Test("our own words stand out on every style", arguments: BlurLook.names)
    func contrastOnStyles(style: String) throws {
        for face in [DrawAppearance.light, .dark] {
            var look = Looks.nothing
            look.blur = style
            var scene = Looks.scene(look, 320, 240)
            scene.appearance = face
            let drawn = try ShieldDrawing.draw(scene)

            for text in drawn.texts {
                #expect(text.contrast >= 4.5, "\(style) \(text.role) \(text.contrast)")
            }
            #expect(drawn.warnings == [])
        }
    }

    @Test("every style of iOS has a look of its own")
    func styles() throws {
        #expect(BlurLook.names.count == 20)
        var seen: [[Ink]: String] = [:]
        for style in BlurLook.names {
            let faces = try [DrawAppearance.light, .dark].map { face in
                var look = Looks.nothing
                look.blur = style
                var scene = Looks.scene(look, 160, 120)
                scene.appearance = face
                return try ShieldDrawing.draw(scene).canvas.ink(x: 1, y: 1)
            }
            #expect(seen[faces] == nil, "\(style) is as \(seen[faces] ?? "")")
            seen[faces] = style
        }
    }

    @Test("a backdrop shines through a thin style, without its edges")
    func backdrop() throws {
        let behind = try Canvas(width: 400, height: 300)
        behind.fill(Ink(hex: 0xFFFFFF))
        behind.fill(Box(0, 0, 200, 300), radius: 0, .black)
        var look = Looks.nothing
        look.blur = "systemUltraThinMaterial"
        var scene = Looks.scene(look, 400, 300)
        scene.backdrop = behind
        let drawn = try ShieldDrawing.draw(scene)

        let row = stride(from: 0, to: 400, by: 4).map { drawn.canvas.ink(x: $0, y: 295).luminance }
        #expect((row.last ?? 0) - (row.first ?? 0) > 0.3)
        for (one, next) in zip(row, row.dropFirst()) { #expect(next - one < 0.1 && next - one > -0.02) }
    }

    @Test("an opaque colour covers everything, and the look's own colours are kept")
    func opaque() throws {
        var look = Looks.english
        look.background = Looks.colour("#7A1F3DFF")
        look.primaryBackground = Looks.colour("#FFFFFFFF")
        look.primary = Looks.text("Fine", "#7A1F3DFF", "#7A1F3DFF")
        look.title = Looks.text("Stop", "#FFFFFFFF")
        look.subtitle = nil
        look.secondary = nil
        let drawn = try ShieldDrawing.draw(Looks.scene(look))
        let button = try #require(drawn.buttons.first?.box)

        #expect(drawn.canvas.ink(x: 3, y: 3) == Ink(hex: 0x7A1F3D))
        #expect(drawn.canvas.ink(x: Int(button.x) + 12, y: Int(button.midY)) == .white)
        #expect(drawn.warnings == [])
    }

    @Test("words in the colour of their background are shown in another one, and that is said")
    func invisible() throws {
        var look = Looks.english
        look.background = Looks.colour("#FFFFFFFF")
        look.title = Looks.text("White on white", "#FFFFFFFF")
        let drawn = try ShieldDrawing.draw(Looks.scene(look))

        #expect(try #require(drawn.text(.title)).contrast > 10)
        #expect(drawn.warnings.contains { $0.english.contains("title cannot be read") })
    }

    @Test("a dark style on a light desktop gets the colours that the look has for dark")
    func otherFace() throws {
        var look = Looks.english
        look.blur = "systemThickMaterialDark"
        let drawn = try ShieldDrawing.draw(Looks.scene(look))

        #expect(try #require(drawn.text(.title)).contrast > 10)
        #expect(drawn.warnings == [])
    }

    @Test(
        "what is no colour is left to the system, with a warning",
        arguments: [
            "", "#", "red", "#GGGGGGGG", "#12345", "#NaNNaN00", "#+1234567", "#1234567890", "NaN", "#ＦＦＦＦＦＦ",
        ]
    )
    func bad(colour: String) throws {
        #expect(Ink(colour) == nil)
        var look = Looks.english
        look.background = Looks.colour(colour)
        look.title = Looks.text("Title", colour, colour)
        look.primaryBackground = Looks.colour(colour)
        let drawn = try ShieldDrawing.draw(Looks.scene(look, 640, 480))

        #expect(drawn.warnings.count == 3)
        #expect(drawn.texts.filter { $0.role != .secondary }.allSatisfy { $0.contrast >= 4.5 })
    }

    @Test("what is no number is no colour either")
    func numbers() {
        #expect(Ink(.nan, .infinity, -.infinity, .nan) == Ink(0, 1, 0, 0))
        #expect(Ink("#FF800080") == Ink(1, 128.0 / 255, 0, 128.0 / 255))
        #expect(Ink.black.contrast(on: .white) > 20.9)
    }

    @Test("a style that is none is replaced and named")
    func badStyle() throws {
        var look = Looks.nothing
        look.blur = "systemVeryThickMaterial"
        #expect(
            try ShieldDrawing.draw(Looks.scene(look)).warnings.contains {
                $0.english.contains("systemVeryThickMaterial")
            }
        )
    }
}
