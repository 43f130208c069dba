import STContracts
import STDrawing
import STPlatform
import Testing

@Suite("Drawn panels")
struct PanelTests {
    private static let long = String(repeating: "Bildschirmzeitverlängerungsantragsformular ", count: 12)

    private func check(_ request: DrawPanelRequest) throws {
        let drawn = try Panels.draw(request)
        let window = drawn.canvas.bounds.expanded(0.5)
        for text in drawn.texts {
            #expect(
                window.contains(text.box),
                "\(request.kind) \(text.role) \(request.width)x\(request.height)"
            )
            #expect(text.missingGlyphs == 0, "scripts/setup.sh --test has the fonts")
            #expect(text.contrast >= 4.5, "\(text.role) \(text.contrast)")
        }
        for (index, text) in drawn.texts.enumerated() {
            for other in drawn.texts[(index + 1)...] where text.ink.width > 0 && other.ink.width > 0 {
                // Lines of one text may touch, but different texts must not overlap.
                let overlap = text.ink.expanded(-1).overlaps(other.ink.expanded(-1))
                #expect(!overlap, "\(text.role) and \(other.role)")
            }
        }
        for spot in drawn.spots { #expect(window.contains(spot.box) && spot.width > 0 && spot.height > 0) }
    }

    @Test(
        "The texts of a panel are inside it, readable and do not overlap, in five languages",
        arguments: ["en", "ko", "de", "ar", "ja"]
    )
    func fits(language: String) throws {
        for face in [DrawAppearance.light, .dark] {
            for scale in [1.0, 1.25, 2.0, 3.0] {
                var requests = [
                    Panels.question(language, scale: scale),
                    Panels.question(language, width: 480, height: 720, scale: scale),
                    Panels.question(language, width: 320, height: 380, scale: scale),
                    Panels.countdown(language, "5 min", scale: scale),
                    Panels.countdown(language, "0:42", urgent: true, scale: scale),
                    Panels.warning(language, scale: scale),
                ]
                for index in requests.indices {
                    requests[index].appearance = face
                    requests[index].isRounded = index % 2 == 0
                    try check(requests[index])
                }
            }
        }
    }

    @Test("At the size that the agent uses, no text of a panel is cut")
    func whole() throws {
        for language in ["en", "ko"] {
            for request in [
                Panels.question(language, width: 480, height: 560), Panels.countdown(language, "10 min"),
                Panels.warning(language),
            ] {
                let drawn = try Panels.draw(request)
                #expect(drawn.warnings.isEmpty, "\(drawn.warnings)")
            }
        }
    }

    @Test("Long texts stay inside a panel, and its buttons are always visible")
    func longWords() throws {
        for (width, height) in [(480, 560), (300, 300), (200, 160), (1_000, 400)] {
            let request = Panels.question("de", width: width, height: height) {
                $0.title = Self.long
                $0.text = Self.long
                $0.reasons = Array(repeating: Self.long, count: 20)
                $0.passcode = DrawPasscode(
                    prompt: Self.long,
                    provers: Array(repeating: Self.long, count: 12),
                    chosen: 3,
                    dots: 900
                )
                $0.error = Self.long
                $0.deny = Self.long
                $0.allow = Self.long
            }
            let drawn = try Panels.draw(request)
            let window = drawn.canvas.bounds.expanded(0.5)
            for id in [DrawnSpot.deny, DrawnSpot.allow, DrawnSpot.passcode] {
                let spot = try #require(drawn.spots.first { $0.id == id })
                #expect(window.contains(spot.box) && spot.height > 0, "\(id) \(width)x\(height)")
            }
            #expect(!drawn.warnings.isEmpty)
        }
        var warning = Panels.warning("de")
        warning.title = Self.long
        warning.text = Self.long
        try check(warning)
        var countdown = Panels.countdown("de", "10 min")
        countdown.title = Self.long
        try check(countdown)
    }

    @Test("A panel lists the spots that can be pressed, and none while it is busy")
    func spots() throws {
        let ids = try Panels.draw(Panels.question("en")).spots.map(\.id)
        #expect(Set(ids) == ["allow", "deny", "passcode", "prover:0", "prover:1"])
        #expect(try Panels.draw(Panels.question("en") { $0.isBusy = true }).spots.isEmpty)
        #expect(try Panels.draw(Panels.question("en") { $0.passcode = nil }).spots.count == 2)
        #expect(try Panels.draw(Panels.countdown("en", "5 min")).spots.isEmpty)
    }

    @Test("A question panel shows the number of typed characters and the keyboard focus")
    func dots() throws {
        let one = try Panels.draw(Panels.question("en") { $0.passcode?.dots = 3 })
        let other = try Panels.draw(Panels.question("en") { $0.passcode?.dots = 4 })
        let field = try #require(one.spots.first { $0.id == DrawnSpot.passcode }?.box)
        let changed = differences(one.canvas, other.canvas)
        #expect(!changed.isEmpty && changed.allSatisfy { field.contains($0) })
        let moved = try Panels.draw(
            Panels.question("en") {
                $0.passcode?.dots = 3
                $0.focus = DrawnSpot.allow
            }
        )
        let button = try #require(moved.spots.first { $0.id == DrawnSpot.allow }?.box)
        let ring = differences(one.canvas, moved.canvas)
        #expect(ring.contains { button.expanded(6).contains($0) })
        #expect(ring.allSatisfy { button.expanded(6).contains($0) || field.expanded(6).contains($0) })
    }

    @Test("The last minute of a countdown is highlighted, and only rounded panels have transparent corners")
    func looks() throws {
        let calm = try Panels.draw(Panels.countdown("en", "5 min"))
        let urgent = try Panels.draw(Panels.countdown("en", "0:42", urgent: true))
        #expect(calm.canvas.color(x: 60, y: 6).contrast(on: urgent.canvas.color(x: 60, y: 6)) > 2)
        var rounded = Panels.countdown("en", "5 min")
        rounded.isRounded = true
        #expect(try Panels.draw(rounded).canvas.pixels { pixels, _ in pixels[0] >> 24 } == 0)
        #expect(calm.canvas.pixels { pixels, _ in pixels[0] >> 24 } == 255)
    }

    @Test("A panel in a right-to-left language is mirrored")
    func mirrored() throws {
        let left = try Panels.draw(Panels.question("en"))
        let right = try Panels.draw(Panels.question("ar"))
        let deny = try #require(left.spots.first { $0.id == DrawnSpot.deny })
        let mirrored = try #require(right.spots.first { $0.id == DrawnSpot.deny })
        #expect(deny.x < 240 && mirrored.x >= 239)
        #expect(try #require(right.texts("text").first).ink.maxX > 380)
    }

    @Test("Hostile texts stay inside a panel")
    func hostile() throws {
        for text in [
            "", "\u{202E}abc", "\u{0}\u{7}\u{1B}[2J", String(repeating: "가", count: 5_000),
            "Z\u{0301}\u{0301}",
        ] {
            for request in [Panels.question("ko"), Panels.countdown("ko", "5분"), Panels.warning("ko")] {
                var request = request
                request.title = text
                request.text = text
                request.reasons = [text, text]
                request.icon = ShieldIcon(kind: .data, data: "no picture")
                let drawn = try Panels.draw(request)
                for text in drawn.texts { #expect(drawn.canvas.bounds.expanded(0.5).contains(text.box)) }
            }
        }
    }

    @Test("An invalid panel request is rejected with the field")
    func refused() {
        let changes: [(String, (inout DrawPanelRequest) -> Void)] = [
            ("/kind", { $0.kind = .unknown }), ("/width", { $0.width = 0 }), ("/scale", { $0.scale = .nan }),
            ("/appearance", { $0.appearance = .unknown }),
        ]
        for (field, change) in changes {
            var changed = Panels.question("en")
            change(&changed)
            let request = changed
            #expect { try Panels.draw(request) } throws: { ($0 as? Problem)?.field == field }
        }
    }
}
