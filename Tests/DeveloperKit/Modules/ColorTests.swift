import Foundation
import STTestSupport
import Testing

@testable import UIKit

@Suite("Colours")
struct ColorTests {
    private func hexes(_ color: UIColor?) -> [String] {
        guard let hexes = color?.hexes else { return [] }
        return [hexes.light, hexes.dark]
    }

    @Test("System colours have Apple's values for light and dark appearances")
    func system() {
        #expect(hexes(.systemBlue) == ["#007AFFFF", "#0A84FFFF"])
        #expect(hexes(.systemRed) == ["#FF3B30FF", "#FF453AFF"])
        #expect(hexes(.systemGray6) == ["#F2F2F7FF", "#1C1C1EFF"])
        #expect(hexes(.label) == ["#000000FF", "#FFFFFFFF"])
        #expect(hexes(.secondaryLabel) == ["#3C3C4399", "#EBEBF599"])
        #expect(hexes(.systemBackground) == ["#FFFFFFFF", "#000000FF"])
        #expect(hexes(.tertiarySystemBackground) == ["#FFFFFFFF", "#2C2C2EFF"])
        #expect(hexes(.white) == ["#FFFFFFFF", "#FFFFFFFF"])
        #expect(hexes(.brown) == ["#996633FF", "#996633FF"])
        #expect(hexes(.clear) == ["#00000000", "#00000000"])
        #expect(ReferencedColors.all.count == 54)
        #expect(ReferencedColors.all.allSatisfy { hexes($0.value).allSatisfy { $0.count == 9 } })
    }

    @Test("Components of a colour are clamped, and NaN becomes 0")
    func bounds() {
        let odd = UIColor(red: 2, green: -1, blue: .nan, alpha: 1)
        #expect(hexes(odd)[0] == "#FF0000FF")
        #expect(hexes(UIColor(white: .infinity, alpha: 0.5))[0] == "#FFFFFF80")
    }

    @Test("Colours convert from hue and Display P3, and back to components")
    func spaces() {
        #expect(hexes(UIColor(hue: 0, saturation: 1, brightness: 1, alpha: 1))[0] == "#FF0000FF")
        #expect(hexes(UIColor(hue: 1.0 / 3, saturation: 1, brightness: 0.5, alpha: 1))[0] == "#008000FF")
        #expect(hexes(UIColor(hue: 2.0 / 3, saturation: 0.5, brightness: 1, alpha: 1))[0] == "#8080FFFF")
        #expect(hexes(UIColor(displayP3Red: 1, green: 1, blue: 1, alpha: 1))[0] == "#FFFFFFFF")
        #expect(hexes(UIColor(displayP3Red: 1, green: 0, blue: 0, alpha: 1))[0] == "#FF0000FF")

        var (red, green, blue, alpha) = (CGFloat(-1), CGFloat(-1), CGFloat(-1), CGFloat(-1))
        var (hue, saturation) = (CGFloat(-1), CGFloat(-1))
        let color = UIColor(red: 0, green: 0.5, blue: 1, alpha: 0.25)
        #expect(color.getRed(&red, green: &green, blue: &blue, alpha: &alpha))
        #expect([red, green, blue, alpha] == [0, 0.5, 1, 0.25])
        #expect(color.getHue(&hue, saturation: &saturation, brightness: nil, alpha: nil))
        #expect(abs(hue - 210.0 / 360) < 0.001 && saturation == 1)
    }

    @Test("A dynamic colour calls its closure for each style, and a resolved colour is fixed")
    func dynamic() {
        let color = UIColor { $0.userInterfaceStyle == .dark ? .white : .black }
        #expect(hexes(color) == ["#000000FF", "#FFFFFFFF"])
        #expect(hexes(color.withAlphaComponent(0.5)) == ["#00000080", "#FFFFFF80"])
        #expect(hexes(UIColor.label.withAlphaComponent(0)) == ["#00000000", "#FFFFFF00"])
        let dark = color.resolvedColor(with: UITraitCollection(userInterfaceStyle: .dark))
        #expect(hexes(dark) == ["#FFFFFFFF", "#FFFFFFFF"])
        #expect(dark == UIColor.white && color != dark)
        let current = UIColor { _ in UITraitCollection.current.userInterfaceStyle == .dark ? .red : .blue }
        #expect(hexes(current) == ["#0000FFFF", "#FF0000FF"])
    }

    @Test("A dynamic colour that refers to itself resolves to black")
    func endless() {
        final class Holder: @unchecked Sendable { var color: UIColor? }
        let holder = Holder()
        let color = UIColor { _ in holder.color ?? .red }
        holder.color = color
        #expect(hexes(color) == ["#000000FF", "#000000FF"])
        holder.color = nil
    }

    @Test("A colour of an asset catalogue has its light and dark values")
    func catalogue() throws {
        let scratch = try ScratchDirectory()
        let any = #""idiom": "universal""#
        let dark = #""appearances": [{"appearance": "luminosity", "value": "dark"}], "idiom": "universal""#
        func color(_ values: String) -> String {
            #""color": {"color-space": "srgb", "components": \#(values)}"#
        }
        let files = [
            "Accent": """
            [{\(color(#"{"red": "0xFF", "green": "128", "blue": "0.000", "alpha": "1.000"}"#)), \(any)},
             {\(color(#"{"red": "0.0", "green": "0x10", "blue": "1.0", "alpha": "0.500"}"#)), \(dark)}]
            """,
            "Deep/Inner/Grey": "[{\(color(#"{"white": "0.5", "alpha": "1"}"#)), \(any)}]",
            "Link": #"[{"color": {"platform": "ios", "reference": "systemBlueColor"}, \#(any)}]"#,
            "Empty": "[{\(any)}]", "Broken": "[",
        ]
        for (name, colors) in files {
            let folder = scratch.file("bundle/Some.xcassets/\(name).colorset")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(#"{"colors": \#(colors)}"#.utf8).write(to: URL(filePath: folder + "/Contents.json"))
        }
        let assets = AssetFolder(places: [scratch.file("bundle")])
        func found(_ name: String) -> [String] {
            assets.color(name).map { [$0.light.hex, $0.dark.hex] } ?? []
        }

        #expect(found("Accent") == ["#FF8000FF", "#0010FF80"])
        #expect(found("Grey") == ["#808080FF", "#808080FF"])
        #expect(found("Link") == ["#007AFFFF", "#0A84FFFF"])
        for name in ["Empty", "Broken", "None", "../bundle/Some.xcassets/Accent", "", "/Accent", "a\0b"] {
            #expect(found(name) == [], "\(name)")
        }
        #expect(UIColor(named: "None") == nil)
    }
}
