import Foundation
import STContracts
import STDrawing
import STPlatform
import STTestSupport
import Testing

@Suite("Icons")
struct IconTests {
    private func drawn(_ icon: ShieldIcon) throws -> DrawnShield {
        var look = Looks.english
        look.icon = icon
        return try ShieldDrawing.draw(Looks.scene(look, width: 640, height: 480))
    }

    private func middle(_ drawn: DrawnShield) throws -> DrawColor {
        let icon = try #require(drawn.icon)
        return drawn.canvas.color(x: Int(icon.midX), y: Int(icon.midY))
    }

    @Test("A PNG icon from data or a file is drawn at its place")
    func png() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let bytes = try Looks.png(40, height: 40, ink: DrawColor(hex: 0xFF0000))
        try AtomicFile.write(bytes, to: scratch.file("icon.png"), durable: false)
        for icon in [
            ShieldIcon(kind: .data, data: Data(bytes).base64EncodedString()),
            ShieldIcon(kind: .file, name: scratch.file("icon.png")),
        ] {
            let drawn = try drawn(icon)
            #expect(drawn.warnings == [])
            #expect(try middle(drawn) == DrawColor(hex: 0xFF0000))
        }
    }

    @Test("A dark picture of an icon is drawn only in the dark appearance")
    func faces() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        for (name, ink) in [("light.png", DrawColor(hex: 0xFF0000)), ("dark.png", DrawColor(hex: 0x00FF00))] {
            let bytes = try Looks.png(40, height: 40, ink: ink)
            try AtomicFile.write(bytes, to: scratch.file(name), durable: false)
        }
        var look = Looks.english
        look.icon = ShieldIcon(
            kind: .file,
            name: scratch.file("light.png"),
            darkName: scratch.file("dark.png")
        )
        for (face, ink) in [(DrawAppearance.light, 0xFF0000), (.dark, 0x00FF00)] {
            var scene = Looks.scene(look, width: 640, height: 480)
            scene.appearance = face
            #expect(try middle(ShieldDrawing.draw(scene)) == DrawColor(hex: UInt32(ink)))
        }
    }

    @Test("An SVG icon is drawn, and a damaged one or one that refers to other files is not")
    func svg() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        func drawn(_ text: String) throws -> DrawnShield {
            try scratch.write(text, to: "icon.svg")
            return try self.drawn(ShieldIcon(kind: .file, name: scratch.file("icon.svg")))
        }
        let open = #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">"#
        let red = try drawn(#"<?xml version="1.0"?>\#(open)<rect width="8" height="8" fill="red"/></svg>"#)
        #expect(red.warnings == [])
        #expect(try middle(red) == DrawColor(hex: 0xFF0000))
        for broken in [open + "<rect", "<svg/>x<", "<!-- no picture <svg -->", open + "</g></svg>"] {
            let tile = try drawn(broken)
            #expect(tile.warnings.contains { $0.english.hasPrefix("The icon cannot be shown") }, "\(broken)")
        }
        try AtomicFile.write(
            try Looks.png(8, height: 8, ink: DrawColor(hex: 0x00FF00)),
            to: scratch.file("other.png"),
            durable: false
        )
        let other = try drawn(
            #"\#(open)<image width="8" height="8" href="file://\#(scratch.file("other.png"))"/></svg>"#
        )
        #expect(try middle(other) != DrawColor(hex: 0x00FF00))
    }

    @Test("A JPEG icon is drawn, and a truncated one is not")
    func jpeg() throws {
        let bytes = try #require(Data(base64Encoded: Self.redJPEG))
        let whole = try drawn(ShieldIcon(kind: .data, data: Self.redJPEG))
        let ink = try middle(whole)
        #expect(whole.warnings == [])
        #expect(ink.red > 0.9 && ink.green < 0.1)

        for count in [4, 20, 100, 400, bytes.count - 12] where count < bytes.count {
            let broken = try drawn(ShieldIcon(kind: .data, data: bytes.prefix(count).base64EncodedString()))
            #expect(broken.warnings.contains { $0.english.hasPrefix("The icon cannot be shown") }, "\(count)")
        }
    }

    @Test("A tint fills the shape of an icon")
    func tint() throws {
        let data = Data(try Looks.png(40, height: 40, ink: .black)).base64EncodedString()
        let drawn = try drawn(ShieldIcon(kind: .data, data: data, tint: Looks.colour("#00FF00FF")))
        #expect(try middle(drawn) == DrawColor(hex: 0x00FF00))
    }

    @Test(
        "Common symbol names and their variants have a drawing",
        arguments: [
            "hourglass", "hourglass.circle.fill", "hourglass.bottomhalf.filled", "lock.fill", "lock.shield",
            "moon.zzz",
            "moon.stars.fill", "hand.raised.fill", "clock.arrow.circlepath", "exclamationmark.triangle.fill",
            "xmark.circle.fill", "bell.slash.fill", "eye.slash", "figure.walk", "brain.head.profile",
            "gamecontroller",
        ]
    )
    func symbols(name: String) throws {
        let drawn = try drawn(ShieldIcon(kind: .system, name: name, tint: Looks.colour("#FF0000FF")))
        let icon = try #require(drawn.icon)
        var red = 0
        for y in Int(icon.y)..<Int(icon.maxY) {
            for x in Int(icon.x)..<Int(icon.maxX)
            where drawn.canvas.color(x: x, y: y) == DrawColor(hex: 0xFF0000) {
                red += 1
            }
        }

        #expect(drawn.warnings == [])
        #expect(Double(red) > icon.width * icon.height * 0.04, "\(name) has \(red)")
    }

    @Test(
        "An unknown symbol is drawn as an hourglass with a warning",
        arguments: ["", "...", "kangaroo.fill", "fill"]
    )
    func unknown(name: String) throws {
        let drawn = try drawn(ShieldIcon(kind: .system, name: name))
        #expect(drawn.icon != nil)
        #expect(drawn.warnings.contains { $0.english.contains("There is no symbol") })
    }

    @Test("A bad or oversized icon is replaced with the default icon and a warning")
    func bad() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let good = try Looks.png(64, height: 64)
        try AtomicFile.write(
            [UInt8](repeating: 0x89, count: 50 << 20),
            to: scratch.file("huge"),
            durable: false
        )
        try scratch.write("no picture", to: "text.png")
        let bombs = [Self.claiming(100_000, 1), Self.claiming(60_000, 60_000), Self.claiming(0, 5)]
        let pictures =
            bombs + [good.dropLast(30), good.prefix(20), good.prefix(33)].map { Array($0) }
            + [[], [0xFF, 0xD8, 0xFF], [0xFF, 0xD8, 0xFF, 0xC0], Self.jpegClaiming(65_535, 65_535)]
        var icons = pictures.map { ShieldIcon(kind: .data, data: Data($0).base64EncodedString()) }
        icons += [
            "huge", "text.png", "missing", "",
        ].map { ShieldIcon(kind: .file, name: scratch.file($0)) }
        icons += ["/dev/zero", "relative.png", "", "/tmp\u{0}/x"].map { ShieldIcon(kind: .file, name: $0) }
        icons += [
            ShieldIcon(kind: .data, data: "%%%"), ShieldIcon(kind: .data), ShieldIcon(kind: .file),
            ShieldIcon(kind: .data, data: String(repeating: "A", count: 50 << 20)),
            ShieldIcon(kind: .unknown),
        ]
        for icon in icons {
            let drawn = try drawn(icon)
            #expect(drawn.icon != nil)
            #expect(drawn.warnings.count == 1, "\(icon.name ?? "") \(drawn.warnings)")
        }
    }

    /// A PNG whose header claims this size.
    static func claiming(_ width: UInt32, _ height: UInt32) -> [UInt8] {
        let number = { (value: UInt32) in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
            + number(width)
            + number(height) + [8, 6, 0, 0, 0, 0, 0, 0, 0]
    }

    static func jpegClaiming(_ width: UInt16, _ height: UInt16) -> [UInt8] {
        let number = { (value: UInt16) in [UInt8(value >> 8), UInt8(value & 0xFF)] }
        return [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8] + number(height) + number(width)
            + [UInt8](repeating: 1, count: 12)
    }

    /// 16x16, red.
    private static let redJPEG =
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywt"
        + "QFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09P"
        + "T09PT09PT09PT09PT09PT09PT0//wAARCAAQABADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAb/xAAUEAEA"
        + "AAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABQf/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIR"
        + "AxEAPwCfADKS/9k="
}
