import STCommandCore
import STPlatform

/// The names that Xcode generates for colours and images, for example `.brandBlue` for “Brand Blue”.
enum AssetSymbols {
    static let file = "GeneratedAssetSymbols.swift"
    private static let taken = [
        "accent", "black", "blue", "brown", "clear", "cyan", "darkGray", "gray", "green", "indigo", "label",
        "lightGray", "link",
        "magenta", "mint", "orange", "pink", "primary", "purple", "red", "secondary", "teal", "tint", "white",
        "yellow",
    ]

    /// Returns the source with an extension's names. Returns `nil` if the extension has no catalogue or imports no module that
    /// draws.
    static func source(of item: LabExtension, in folder: ProjectFolder) throws(Problem) -> String? {
        let modules = ["SwiftUI", "UIKit", "ManagedSettingsUI"].filter(item.imports.contains)
        var colors: [String: String] = [:]
        var images: [String: String] = [:]
        for catalog in item.resources where catalog.ending == "xcassets" {
            for path in try folder.files(below: catalog) where path.file == "Contents.json" {
                let entry = path.folder.file
                let name = String(entry.prefix(entry.count - entry.ending.count - 1))
                switch entry.ending {
                case "colorset": colors[symbol(name, "Color")] = name
                case "imageset": images[symbol(name, "Image")] = name
                default: continue
                }
            }
        }
        guard !modules.isEmpty, !colors.isEmpty || !images.isEmpty else { return nil }
        func resources(_ type: String, _ names: [String: String]) -> String {
            names.isEmpty
                ? ""
                : "extension \(type) {\n"
                    + names.sorted { $0.key < $1.key }.map {
                        "    static let `\($0.key)` = \(type)(name: \(LabPackage.quoted($0.value)), bundle: .main)\n"
                    }.joined() + "}\n"
        }
        func values(_ type: String, names: [String: String], label: String) -> String {
            names.isEmpty
                ? ""
                : "extension \(type) {\n"
                    + names.keys.sorted().map {
                        "    static var `\($0)`: \(type) { \(type)(\(label).`\($0)`) }\n"
                    }.joined() + "}\n"
        }
        var text = (["Foundation", "UIKit"] + modules).map { "import \($0)\n" }.joined()
        text += resources("ColorResource", colors) + resources("ImageResource", images)
        guard item.hasSymbols else { return text }
        // Xcode omits names that the types already have.
        for name in taken { colors[name] = nil }
        text += values("UIColor", names: colors, label: "resource: ")
        text += values("UIImage", names: images, label: "resource: ")
        guard modules.contains("SwiftUI") else { return text }
        return text + values("Color", names: colors, label: "") + values("Image", names: images, label: "")
            + (colors.isEmpty
                ? ""
                : "extension ShapeStyle where Self == Color {\n"
                    + colors.keys.sorted().map { "    static var `\($0)`: Color { Color(.`\($0)`) }\n" }
                    .joined() + "}\n")
    }

    /// Returns the name in camel case as in Xcode, without the word that the type implies. Examples: `dsAction`, `favicon32X32`.
    static func symbol(_ name: String, _ type: String) -> String {
        let words = name.split { !$0.isLetter && !$0.isNumber }
        var symbol = ""
        for character in words.map({ $0.prefix(1).uppercased() + $0.dropFirst() }).joined() {
            symbol += symbol.last?.isNumber == true ? character.uppercased() : String(character)
        }
        if symbol.hasSuffix(type), symbol.count > type.count { symbol.removeLast(type.count) }
        // Convert the initial capitals to lower case, except for the capital that begins the next word.
        let capitals = symbol.prefix { $0.isUppercase }.count
        let lowered = capitals > 1 && capitals < symbol.count ? capitals - 1 : max(1, capitals)
        symbol = symbol.prefix(lowered).lowercased() + symbol.dropFirst(lowered)
        return symbol.first?.isNumber ?? true ? "_" + symbol : symbol
    }
}
