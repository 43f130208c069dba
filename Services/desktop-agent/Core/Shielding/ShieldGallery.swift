import STContracts

/// Pictures of shields that may be shown again, the ones used last kept longest.
struct ShieldGallery: Sendable {
    static let picturesMax = 48
    /// In a memory file system: a picture of a large screen has 8 MB.
    static let bytesMax = 128 << 20

    private struct Entry {
        var picture: ShieldPicture
        var used: Int64
    }

    private var entries: [PictureKey: Entry] = [:]
    private(set) var bytes = 0
    private var uses: Int64 = 0

    var count: Int { entries.count }

    mutating func picture(_ key: PictureKey) -> ShieldPicture? {
        guard let entry = entries[key] else { return nil }
        uses += 1
        entries[key]?.used = uses
        return entry.picture
    }

    /// What can be pressed on it; looking at that is no use of it.
    func spots(_ key: PictureKey) -> [DrawnSpot]? { entries[key]?.picture.spots }

    func holds(_ key: PictureKey) -> Bool { entries[key] != nil }

    /// The files of those that had to go; one that is on the screen lives on there without its name.
    mutating func add(_ picture: ShieldPicture, _ key: PictureKey) -> [String] {
        var gone: [String] = []
        if let old = entries[key], old.picture.path != picture.path { gone.append(old.picture.path) }
        bytes += picture.bytes - (entries[key]?.picture.bytes ?? 0)
        uses += 1
        entries[key] = Entry(picture: picture, used: uses)
        while entries.count > 1, bytes > Self.bytesMax || entries.count > Self.picturesMax,
            let oldest = entries.min(by: { $0.value.used < $1.value.used })
        {
            entries[oldest.key] = nil
            bytes -= oldest.value.picture.bytes
            gone.append(oldest.value.picture.path)
        }
        return gone
    }

    mutating func removeAll() -> [String] {
        let paths = entries.values.map(\.picture.path).sorted()
        entries = [:]
        bytes = 0
        return paths
    }
}
