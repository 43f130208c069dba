import STPlatform

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
