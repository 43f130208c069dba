import Foundation
import STContracts
import STFoundationTypes
import STPlatform

/// Pictures and colours of a bundle by their names: in its asset catalogues, or as files.
struct AssetFolder {
    /// Limits of a search; no catalogue made by hand is larger.
    private static let entriesMax = 5_000
    private static let depthMax = 6
    private static let contentsBytesMax = 256 * 1024
    private static let nameBytesMax = 128
    private static let endings = ["png", "jpg", "jpeg"]
    /// The finest first, because it can be scaled down.
    private static let scales = [3, 2, 1]

    /// Where names are looked for, in this order.
    let places: [String]

    /// Nil and the program's own bundle mean the app's.
    static func of(_ bundle: Bundle?) -> AssetFolder {
        guard let path = bundle?.bundlePath, path != Bundle.main.bundlePath else {
            return AssetFolder(places: AppFolder.places)
        }
        return AssetFolder(places: [path, "\(path)/Resources"])
    }

    /// Logs a missing asset, about which a phone is silent.
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
                if let head = PictureHead(file: file) {
                    return FoundImage(file: file, dark: nil, scale: scale, head: head)
                }
            }
        }
        return nil
    }

    /// The possible files of a name, with and without extension and scale.
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

    /// False for names that lead out of the bundle.
    private static func isSafe(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return name.utf8.count <= nameBytesMax && !name.utf8.contains(0)
            && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }

    private func contents<Contents: Decodable>(_ folder: String) -> Contents? {
        let path = "\(folder)/Contents.json"
        guard let data = PictureHead.bytes(of: path, atMost: Self.contentsBytesMax + 1),
            data.count <= Self.contentsBytesMax
        else { return nil }
        do {
            return try JSONDecoder().decode(Contents.self, from: data)
        } catch {
            FrameworkLog.drawing.error("\(path) cannot be read: \(error)")
            return nil
        }
    }

    /// The folder of that name in one of the catalogues, at any depth.
    private func catalogEntry(_ name: String, _ ending: String) -> String? {
        guard Self.isSafe(name) else { return nil }
        var left = Self.entriesMax
        for place in places {
            for entry in Self.names(place) where entry.hasSuffix(".xcassets") {
                if let found = Self.find("\(name).\(ending)", in: "\(place)/\(entry)", 0, &left) {
                    return found
                }
            }
        }
        return nil
    }

    private static func find(_ wanted: String, in folder: String, _ depth: Int, _ left: inout Int) -> String?
    {
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
            // Folders with an ending are things, and hold no others.
            guard !name.contains("."),
                let found = find(wanted, in: "\(folder)/\(name)", depth + 1, &left)
            else { continue }
            return found
        }
        return nil
    }

    private static func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }
}

/// Where the app's bundle is.
package enum AppFolder {
    package static let current = find(
        environment: ProcessEnvironment.current(),
        executable: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
    )

    /// The program's own folder in the bundle where it has one, then the bundle, then its `Resources`.
    package static let places: [String] = {
        let own = Bundle.main.bundlePath
        return (own.hasPrefix(current + "/") ? [own] : []) + [current, "\(current)/Resources"]
    }()

    /// How far above a program its bundle's folder may be.
    private static let levelsMax = 4

    /// The host's answer, else the nearest folder with a manifest at or above the program, else the program's
    /// own folder.
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

/// What `Contents.json` of a colour in an asset catalogue says.
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

    /// Nil when it has none.
    func resolved() -> (light: ColorComponents, dark: ColorComponents)? {
        let plain = colors.filter { $0.appearances.isPlain && $0.color != nil }
        // What is for all devices is meant for this one, too.
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
        // Of 1 also without a point.
        let alpha = parts["alpha"].flatMap { $0 == "1" ? 1 : part($0) } ?? 1
        if let white = parts["white"].flatMap(part) { return ColorComponents(white, white, white, alpha) }
        guard let red = parts["red"].flatMap(part), let green = parts["green"].flatMap(part),
            let blue = parts["blue"].flatMap(part)
        else { return nil }
        return value.colorSpace == "display-p3"
            ? ColorComponents(displayP3: red, green, blue, alpha) : ColorComponents(red, green, blue, alpha)
    }

    /// `0xFF` and `255` are of 255; with a point it is from 0 to 1.
    private static func part(_ text: String) -> Double? {
        if text.lowercased().hasPrefix("0x") {
            return Int(text.dropFirst(2), radix: 16).map { Double($0) / 255 }
        }
        guard let number = Double(text) else { return nil }
        return text.contains(".") ? number : number / 255
    }
}

/// What `Contents.json` of a picture in an asset catalogue says.
struct ImageSetContents: Decodable {
    private struct Entry: Decodable {
        var filename: String?
        var scale: String?
        var appearances: [Appearance]?
    }

    private var images: [Entry]

    /// The finest file there is, and the finest for dark desktops.
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
                let head = PictureHead(file: "\(folder)/\(name)")
            else { return nil }
            let scale = entry.scale.flatMap { Int($0.prefix { $0 != "x" }) } ?? 1
            return FoundImage(file: "\(folder)/\(name)", dark: nil, scale: max(1, scale), head: head)
        }.max { $0.scale < $1.scale }
    }
}

/// The appearance that an asset is for.
struct Appearance: Decodable {
    var appearance: String
    var value: String
}

extension [Appearance]? {
    var isDark: Bool { self?.contains { $0.appearance == "luminosity" && $0.value == "dark" } ?? false }
    /// Others are for high contrast or tints, which are not used here.
    var isPlain: Bool { self?.allSatisfy { $0.appearance == "luminosity" } ?? true }
}

/// The file of a picture, and the one for dark desktops where it has its own.
struct FoundImage {
    var file: String
    var dark: String?
    var scale: Int
    var head: PictureHead
}
