import STContracts
import STDrawing
import STPlatform
import Testing

@Suite("Layout of shields")
struct LayoutTests {
    private static let sizes = [
        (320, 200), (640, 480), (1280, 800), (1920, 1080), (390, 844), (3840, 2160), (1920, 200), (200, 1600),
        (4000, 300), (100, 100), (64, 48), (16, 16), (16, 4000), (4000, 16),
    ]

    @Test("Everything on a shield is inside its window and does not overlap", arguments: sizes)
    func inside(width: Int, height: Int) throws {
        for look in [Looks.english, Looks.korean, Looks.long(200), Looks.nothing, Looks.menu] {
            let drawn = try ShieldDrawing.draw(Looks.scene(look, width: width, height: height))

            #expect(drawn.isInside(), "\(width)x\(height) \(look.title?.text.prefix(12) ?? "")")
            let words = [DrawnShield.Text.Role.title, .subtitle].compactMap { drawn.text($0)?.box }
            let boxes = words + drawn.buttons.map(\.box) + [drawn.icon].compactMap { $0 }
            for (index, box) in boxes.enumerated() {
                for other in boxes[(index + 1)...] {
                    #expect(
                        !box.expanded(-1).overlaps(other.expanded(-1)),
                        "\(width)x\(height) \(box) \(other)"
                    )
                }
            }
        }
    }

    @Test(
        "A shield of a small or a large window has all elements, with text sizes that fit the window",
        arguments: [(320, 200), (3840, 2160)]
    )
    func complete(width: Int, height: Int) throws {
        let drawn = try ShieldDrawing.draw(Looks.scene(Looks.korean, width: width, height: height))

        #expect(drawn.icon != nil)
        #expect(drawn.texts.map(\.role) == [.title, .subtitle, .primary, .secondary])
        #expect(drawn.texts.allSatisfy { !$0.isCut && $0.missingGlyphs == 0 })
        #expect(drawn.warnings == [])
        let title = try #require(drawn.text(.title))
        #expect(title.box.height >= (height == 200 ? 14 : 50))
    }

    @Test("The elements of a shield are centred: icon, title, subtitle, primary and secondary button")
    func order() throws {
        for (width, height) in [(1280, 800), (390, 844), (320, 200)] {
            let drawn = try ShieldDrawing.draw(Looks.scene(Looks.english, width: width, height: height))
            let icon = try #require(drawn.icon)
            let title = try #require(drawn.text(.title)?.box)
            let subtitle = try #require(drawn.text(.subtitle)?.box)
            let primary = try #require(drawn.buttons.first { $0.button == .primary }?.box)
            let secondary = try #require(drawn.buttons.first { $0.button == .secondary }?.box)

            #expect(icon.maxY <= title.y)
            #expect(title.maxY <= subtitle.y)
            #expect(subtitle.maxY <= primary.y)
            #expect(primary.maxY <= secondary.y)
            for box in [icon, title, subtitle, primary, secondary] {
                #expect(abs(box.midX - Double(width) / 2) <= 1.5)
            }
        }
    }

    @Test(
        "The longest text of a rule and its opening time are shown completely at every scale",
        arguments: [(1280, 800, 1.0), (1600, 1200, 2.0), (640, 480, 1.0), (420, 800, 1.0)]
    )
    func rule(width: Int, height: Int, scale: Double) throws {
        let english = String(repeating: "You promised. ", count: 35) + "Well, yes."
        let korean = String(repeating: "약속했잖아. ", count: 29) + "그래."
        let lines = (1...10).map { "\($0)" }.joined(separator: "\n")
        for says in [english, korean, lines] {
            #expect(says.utf8.count <= 500)
            var look = Looks.english
            look.subtitle = Looks.text(
                says + "\nThis shield comes from your rule “evenings”. "
                    + "It does not open before tomorrow at 07:00."
            )
            var scene = Looks.scene(look, width: width, height: height)
            scene.scale = scale
            let drawn = try ShieldDrawing.draw(scene)
            #expect(drawn.text(.subtitle)?.isCut == false, "\(says.prefix(12))")
            #expect(drawn.isInside())
        }
    }

    @Test("Scale 2 draws the same layout of a shield with twice the pixels")
    func scale() throws {
        let once = try ShieldDrawing.draw(Looks.scene(Looks.english, width: 640, height: 480))
        var scene = Looks.scene(Looks.english, width: 1280, height: 960)
        scene.scale = 2
        let twice = try ShieldDrawing.draw(scene)

        for (one, two) in zip(once.buttons, twice.buttons) {
            #expect(
                abs(Double(one.x) * 2 - Double(two.x)) <= 3
                    && abs(Double(one.height) * 2 - Double(two.height)) <= 3
            )
        }
        #expect(once.buttons.count == twice.buttons.count)
    }

    @Test("A shield without a secondary label has neither a secondary button nor a menu")
    func noSecondary() throws {
        var look = Looks.menu
        look.secondary = nil
        var scene = Looks.scene(look)
        scene.isMenuOpen = true
        let drawn = try ShieldDrawing.draw(scene)

        #expect(drawn.buttons.map(\.button) == [.primary])
        #expect(drawn.warnings.contains { $0.english.contains("no secondary button") })
    }

    @Test(
        "An open menu has at most four entries, which precede the buttons in the list",
        arguments: [
            (1280, 800), (640, 480), (320, 200), (390, 844),
        ]
    )
    func menu(width: Int, height: Int) throws {
        var look = Looks.menu
        look.submenu += ["A fourth one", "A fifth one"]
        var scene = Looks.scene(look, width: width, height: height)
        scene.isMenuOpen = true
        scene.focus = .secondSubmenu
        let drawn = try ShieldDrawing.draw(scene)

        #expect(
            drawn.buttons.map(\.button) == [
                .fourthSubmenu, .thirdSubmenu, .secondSubmenu, .firstSubmenu, .secondary, .primary,
            ]
        )
        #expect(drawn.isInside())
        #expect(drawn.warnings.contains { $0.english.contains("5 entries") })
        let rows = drawn.buttons.prefix(4).map(\.box)
        #expect(zip(rows, rows.dropFirst()).allSatisfy { $1.maxY <= $0.y + 2 })
    }

    @Test("The focus ring changes only the picture around its button")
    func focus() throws {
        var scene = Looks.scene(Looks.english, width: 640, height: 480)
        let plain = try ShieldDrawing.draw(scene)
        scene.focus = .primary
        let ringed = try ShieldDrawing.draw(scene)
        let button = try #require(plain.buttons.first { $0.button == .primary }?.box)

        #expect(plain.buttons == ringed.buttons)
        let changed = differences(plain.canvas, ringed.canvas)
        #expect(changed.count > 500)
        #expect(changed.allSatisfy { button.expanded(16).contains($0) })

        // The secondary button has no edge. Its ring is inside the button and does not use black to contrast with the primary one.
        scene.focus = .secondary
        let second = try ShieldDrawing.draw(scene)
        let box = try #require(plain.buttons.first { $0.button == .secondary }?.box)
        let around = differences(plain.canvas, second.canvas)
        #expect(around.count > 200)
        #expect(around.allSatisfy { box.expanded(1).contains($0) })
        let bytes = second.canvas.argb32()
        let isBlack = around.contains { place in
            let start = (Int(place.y) * second.canvas.width + Int(place.x)) * 4
            return bytes[start..<start + 3].allSatisfy { $0 < 24 }
        }
        #expect(!isBlack)
    }

    @Test(
        "An invalid size or scale of a shield is rejected with the field",
        arguments: [
            (0, 100, 1.0, "/width"), (100, -1, 1, "/height"), (9000, 100, 1, "/width"),
            (8000, 8000, 1, "/width"),
            (100, 100, 0, "/scale"), (100, 100, .nan, "/scale"), (100, 100, .infinity, "/scale"),
        ]
    )
    func refused(width: Int, height: Int, scale: Double, field: String) throws {
        var scene = Looks.scene(Looks.nothing, width: width, height: height)
        scene.scale = scale
        let made = scene

        #expect { try ShieldDrawing.draw(made) } throws: { ($0 as? Problem)?.field == field }
    }
}
