import Foundation
import STContracts
import STFoundationTypes
import STPlatform

/// The images and colours of a bundle by name, from its asset catalogues or from separate files.
struct AssetFolder {
    /// The maximum number of entries in a search. Catalogues that people write are smaller.
    private static let entriesMax = 5_000
    private static let depthMax = 6
    private static let contentsBytesMax = 256 * 1024
    private static let nameBytesMax = 128
    private static let endings = ["png", "jpg", "jpeg"]
    /// The scales of images, starting with the finest, because a fine image can be scaled down.
    private static let scales = [3, 2, 1]

    /// The folders that are searched, in this order.
    let places: [String]

    /// Returns the assets of a bundle. For `nil` and for the program's own bundle, they are the assets of the app's bundle.
    static func of(_ bundle: Bundle?) -> AssetFolder {
        guard let path = bundle?.bundlePath, path != Bundle.main.bundlePath else {
            return AssetFolder(places: AppFolder.places)
        }
        return AssetFolder(places: [path, "\(path)/Resources"])
    }

    /// Logs a missing asset, which a phone does not report.
    static func miss(_ type: String, _ name: String) {
        FrameworkLog.drawing.error(
            "\(type)(named: \(name.prefix(nameBytesMax))) is nil: it is not in \(AppFolder.current), as"
                + " a PNG or JPEG file or in an asset catalogue"
        )
    }

    func color(_ name: String) -> (light: ColorComponents, dark: ColorComponents)? {
        guard let folder = catalogEntry(name, "colorset"),
            let contents: ColorSetContents = contents(folder)
        else { return nil }
        return contents.resolved()
    }

    func image(_ name: String) -> FoundImage? {
        if let folder = catalogEntry(name, "imageset"), let contents: ImageSetContents = contents(folder) {
            return contents.found(in: folder)
        }
        guard Self.isSafe(name) else { return nil }
        for place in places {
            for (path, scale) in Self.files(name) {
                let file = "\(place)/\(path)"
                if let head = ImageHeader(file: file) {
                    return FoundImage(file: file, dark: nil, scale: scale, head: head)
                }
            }
        }
        return nil
    }

    /// Returns the possible files of a name, with and without extension and scale.
    private static func files(_ name: String) -> [(path: String, scale: Int)] {
        let ending = endings.first { name.lowercased().hasSuffix(".\($0)") }
        let stem = ending.map { String(name.dropLast($0.count + 1)) } ?? name
        var files: [(path: String, scale: Int)] = []
        for scale in scales {
            let suffix = scale == 1 ? "" : "@\(scale)x"
            for ending in ending.map({ [$0] }) ?? endings {
                files.append((path: "\(stem)\(suffix).\(ending)", scale: scale))
            }
        }
        return files
    }

    /// Returns false for names that lead out of the bundle.
    private static func isSafe(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return name.utf8.count <= nameBytesMax && !name.utf8.contains(0)
            && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }

    private func contents<Contents: Decodable>(_ folder: String) -> Contents? {
        let path = "\(folder)/Contents.json"
        guard let data = ImageHeader.bytes(of: path, atMost: Self.contentsBytesMax + 1),
            data.count <= Self.contentsBytesMax
        else { return nil }
        do {
            return try JSONDecoder().decode(Contents.self, from: data)
        } catch {
            FrameworkLog.drawing.error("\(path) cannot be read: \(error)")
            return nil
        }
    }

    /// Returns the folder of an asset in one of the catalogues, at any depth.
    private func catalogEntry(_ name: String, _ ending: String) -> String? {
        guard Self.isSafe(name) else { return nil }
        var left = Self.entriesMax
        for place in places {
            for entry in Self.names(place) where entry.hasSuffix(".xcassets") {
                let folder = "\(place)/\(entry)"
                if let found = Self.find("\(name).\(ending)", in: folder, depth: 0, left: &left) {
                    return found
                }
            }
        }
        return nil
    }

    private static func find(_ wanted: String, in folder: String, depth: Int, left: inout Int) -> String? {
        guard depth < depthMax else { return nil }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: "\(folder)/\(wanted)", isDirectory: &isFolder),
            isFolder.boolValue
        {
            return "\(folder)/\(wanted)"
        }
        for name in names(folder) {
            left -= 1
            guard left > 0 else { return nil }
            // A folder with an extension is an asset and contains no other assets.
            guard !name.contains("."),
                let found = find(wanted, in: "\(folder)/\(name)", depth: depth + 1, left: &left)
            else { continue }
            return found
        }
        return nil
    }

    private static func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }
}

/// The location of the app's bundle.
package enum AppFolder {
    package static let current = find(
        environment: ProcessEnvironment.current(),
        executable: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
    )

    /// The folders with assets: the program's own folder if it is inside the bundle, then the bundle, then its `Resources`.
    package static let places: [String] = {
        let own = Bundle.main.bundlePath
        return (own.hasPrefix(current + "/") ? [own] : []) + [current, "\(current)/Resources"]
    }()

    /// The maximum number of folders between a program and its bundle.
    private static let levelsMax = 4

    /// Returns the folder that the host has set, or else the nearest folder with a manifest at or above the program. Otherwise it
    /// returns the program's own folder.
    static func find(environment: [String: String], executable: String) -> String {
        if let told = environment[ExtensionEnvironment.bundle], told.hasPrefix("/") { return told }
        let own = URL(filePath: executable).deletingLastPathComponent()
        var folder = own
        for _ in 0..<levelsMax {
            if FileManager.default.fileExists(atPath: folder.appending(path: "manifest.json").path) {
                return folder.path
            }
            folder.deleteLastPathComponent()
        }
        return own.path
    }
}

/// The content of `Contents.json` for a colour in an asset catalogue.
struct ColorSetContents: Decodable {
    private struct Entry: Decodable {
        var appearances: [Appearance]?
        var color: Value?
        var idiom: String?
    }

    private struct Value: Decodable {
        var components: [String: String]?
        var colorSpace: String?
        var reference: String?

        private enum CodingKeys: String, CodingKey {
            case components, reference
            case colorSpace = "color-space"
        }
    }

    private var colors: [Entry]

    /// Returns the colours for light and dark appearance. Returns `nil` if there are none.
    func resolved() -> (light: ColorComponents, dark: ColorComponents)? {
        let plain = colors.filter { $0.appearances.isPlain && $0.color != nil }
        // Prefer entries for all devices over those for specific ones.
        let entries = plain.filter { $0.idiom == nil || $0.idiom == "universal" }
        let all = entries.isEmpty ? plain : entries
        let light = all.first { !$0.appearances.isDark } ?? all.first
        guard let light = light?.color.flatMap({ Self.components($0, isDark: false) }) else { return nil }
        if let dark = all.first(where: { $0.appearances.isDark })?.color {
            return (light, Self.components(dark, isDark: true) ?? light)
        }
        let only = all.first?.color.flatMap { Self.components($0, isDark: true) }
        return (light, only ?? light)
    }

    private static func components(_ value: Value, isDark: Bool) -> ColorComponents? {
        if let reference = value.reference {
            let traits = UITraitCollection(userInterfaceStyle: isDark ? .dark : .light)
            return ReferencedColors.named(reference)?.components(traits)
        }
        guard let parts = value.components else { return nil }
        // An alpha of 1 means opaque, even if it is written without a decimal point.
        let alpha = parts["alpha"].flatMap { $0 == "1" ? 1 : part($0) } ?? 1
        if let white = parts["white"].flatMap(part) { return ColorComponents(white, white, white, alpha) }
        guard let red = parts["red"].flatMap(part), let green = parts["green"].flatMap(part),
            let blue = parts["blue"].flatMap(part)
        else { return nil }
        return value.colorSpace == "display-p3"
            ? ColorComponents(displayP3: red, green, blue, alpha) : ColorComponents(red, green, blue, alpha)
    }

    /// Parses a component. `0xFF` and `255` have a maximum of 255. Numbers with a decimal point are from 0 to 1.
    private static func part(_ text: String) -> Double? {
        if text.lowercased().hasPrefix("0x") {
            return Int(text.dropFirst(2), radix: 16).map { Double($0) / 255 }
        }
        guard let number = Double(text) else { return nil }
        return text.contains(".") ? number : number / 255
    }
}

/// The content of `Contents.json` for an image in an asset catalogue.
struct ImageSetContents: Decodable {
    private struct Entry: Decodable {
        var filename: String?
        var scale: String?
        var appearances: [Appearance]?
    }

    private var images: [Entry]

    /// Returns the file with the finest scale, and the finest one for dark appearance.
    func found(in folder: String) -> FoundImage? {
        let plain = images.filter { $0.appearances.isPlain }
        let dark = Self.best(plain.filter { $0.appearances.isDark }, folder)
        guard var image = Self.best(plain.filter { !$0.appearances.isDark }, folder) ?? dark else {
            return nil
        }
        image.dark = dark.flatMap { $0.file == image.file ? nil : $0.file }
        return image
    }

    private static func best(_ entries: [Entry], _ folder: String) -> FoundImage? {
        entries.compactMap { entry -> FoundImage? in
            guard let name = entry.filename, !name.contains("/"),
                let head = ImageHeader(file: "\(folder)/\(name)")
            else { return nil }
            let scale = entry.scale.flatMap { Int($0.prefix { $0 != "x" }) } ?? 1
            return FoundImage(file: "\(folder)/\(name)", dark: nil, scale: max(1, scale), head: head)
        }.max { $0.scale < $1.scale }
    }
}

/// The appearance to which an asset applies.
struct Appearance: Decodable {
    var appearance: String
    var value: String
}

extension [Appearance]? {
    var isDark: Bool { self?.contains { $0.appearance == "luminosity" && $0.value == "dark" } ?? false }
    /// False for high contrast or tinted appearance, which is not supported.
    var isPlain: Bool { self?.allSatisfy { $0.appearance == "luminosity" } ?? true }
}

/// The file of an image, and the file for dark appearance if it differs.
struct FoundImage {
    var file: String
    var dark: String?
    var scale: Int
    var head: ImageHeader
}
