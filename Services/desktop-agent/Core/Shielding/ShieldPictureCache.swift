package import STContracts
import STDesktop

/// The properties that distinguish one picture of a shield from another.
package struct PictureKey: Sendable, Hashable {
    package var appearanceKey: AppearanceKey
    package var name: String?
    package var width: Int
    package var height: Int
    package var scale: Double
    package var appearance: DrawAppearance
    package var language: String
    package var focus: String?
    package var isMenuOpen: Bool
    package var moreTime: String?
    package var note: String?
}

package struct ShieldPicture: Sendable, Equatable {
    package var path: String
    package var width: Int
    package var height: Int
    package var bytes: Int
    /// The controls. Later ones are on top of earlier ones.
    package var spots: [DrawnSpot]

    package init(path: String, width: Int, height: Int, bytes: Int, spots: [DrawnSpot]) {
        self.path = path
        self.width = width
        self.height = height
        self.bytes = bytes
        self.spots = spots
    }

    package init(path: String, _ answer: DrawAnswer) {
        let buttons = answer.buttons.map {
            DrawnSpot(id: $0.button.rawValue, x: $0.x, y: $0.y, width: $0.width, height: $0.height)
        }
        self.init(
            path: path,
            width: answer.width,
            height: answer.height,
            bytes: answer.bytes,
            // A drawing lists the topmost control first, a pane lists it last.
            spots: (answer.spots ?? []) + buttons.reversed()
        )
    }

    func panePicture(_ scale: Double) -> PanePicture {
        PanePicture(path: path, width: width, height: height, scale: scale, spots: spots.map(\.paneSpot))
    }
}

/// Pictures of shields that may be shown again. The least recently used ones are removed first.
struct ShieldPictureCache: Sendable {
    static let picturesMax = 48
    /// Upper bound on their size, because they are in a memory file system. A picture of a large screen has 8 MB.
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

    /// Returns the controls of a picture. This does not count as a use of the picture.
    func spots(_ key: PictureKey) -> [DrawnSpot]? { entries[key]?.picture.spots }

    func contains(_ key: PictureKey) -> Bool { entries[key] != nil }

    /// Adds a picture. Returns the files of the removed pictures. A visible picture remains valid after its file is deleted.
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
