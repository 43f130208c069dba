import Foundation
import STFoundationTypes
import STPlatform

/// Pictures and colours of a bundle by their names: in its asset catalogues, or as files.
struct AssetFolder {
    /// What a search looks at; nothing that an app has made by hand is larger.
    private static let entriesMax = 5_000
    private static let depthMax = 6
    private static let contentsBytesMax = 256 * 1024
    private static let nameBytesMax = 128
    private static let endings = ["png", "jpg", "jpeg"]
    /// The finest first: what draws makes it smaller.
    private static let scales = [3, 2, 1]

    let root: String

    /// Nil and the bundle of the program are the app's.
    static func of(_ bundle: Bundle?) -> AssetFolder {
        guard let path = bundle?.bundlePath, path != Bundle.main.bundlePath else {
            return AssetFolder(root: AppFolder.current)
        }
        return AssetFolder(root: path)
    }

    /// On a phone it is silent.
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

    private var places: [String] { [root, "\(root)/Resources"] }

    /// As people name files: with or without its ending and its scale.
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

    /// Nothing that leads out of the bundle.
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
