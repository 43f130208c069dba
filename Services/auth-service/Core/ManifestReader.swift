import STContracts
import STPlatform

/// Reads a bundle's `manifest.json` field by field, so that all its faults are found together.
struct ManifestReader {
    static let fileName = "manifest.json"
    static let fileBytesMax = 64 * 1024
    private static let idBytesMax = 128
    private static let textBytesMax = 64
    private static let pathBytesMax = 1_024
    private static let listMax = 32
    private static let extensionsMax = 16

    private(set) var reasons = InstallReasons()

    mutating func read(_ bytes: [UInt8]) -> AppManifest? {
        guard let value = try? Self.document(bytes) else {
            reasons.add(
                "app.bad_manifest",
                field: "/",
                text: Message("app.bad_manifest.no-object", "\(Self.fileName, "file") is not a JSON object.")
            )
            return nil
        }
        var extensions: [ManifestExtension] = []
        if case .array(let items) = value["extensions"] ?? [] {
            if items.count > Self.extensionsMax {
                reasons.add(
                    "app.too_many",
                    field: "/extensions",
                    text: Message(
                        "app.too_many.extensions",
                        "An app can have at most \(Self.extensionsMax, "most") extensions."
                    )
                )
            }
            for (index, item) in items.prefix(Self.extensionsMax).enumerated() {
                extensions.append(readExtension(item, "/extensions/\(index)"))
            }
        } else {
            reasons.add(
                "app.bad_manifest",
                field: "/extensions",
                text: Message("app.bad_manifest.extensions", "The extensions must be a list.")
            )
        }
        let manifest = AppManifest(
            id: readID(value),
            name: text(value, key: "name", place: "", isRequired: true) ?? "",
            version: text(value, key: "version", place: "", isRequired: true) ?? "",
            protocolVersion: version(value, ""),
            entitlements: list(value, key: "entitlements", place: ""),
            groups: list(value, key: "groups", place: ""),
            executable: text(value, key: "executable", place: "", bytesMax: Self.pathBytesMax),
            extensions: extensions,
            deviceModel: text(value, key: "deviceModel", place: "")
        )
        for (index, group) in manifest.groups.enumerated() where !Self.isGroup(group) {
            reasons.add(
                "app.bad_group",
                field: "/groups/\(index)",
                text: Message(
                    "app.bad_group",
                    """
                    The group \(TextLimit.shown(group), "group") must begin with “group.” and contain only \
                    letters, digits, dots, dashes and underscores.
                    """
                )
            )
        }
        return manifest
    }

    private static func document(_ bytes: [UInt8]) throws -> JSONValue {
        try JSONText.requireObject(bytes)
        return try Document.decodedBody(bytes).value
    }

    private struct Document: WireBody, Codable {
        var value: JSONValue

        init(from decoder: any Decoder) throws { value = try JSONValue(from: decoder) }

        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    private mutating func readExtension(_ value: JSONValue, _ place: String) -> ManifestExtension {
        guard case .object = value else {
            reasons.add(
                "app.bad_manifest",
                field: place,
                text: Message("app.bad_manifest.extension", "Each extension must be a JSON object.")
            )
            // Complete, so that no further reasons are added.
            return ManifestExtension(
                point: "",
                executable: "",
                protocolVersion: BundleCheck.protocolVersion,
                entitlements: BundleCheck.entitlements
            )
        }
        return ManifestExtension(
            point: text(value, key: "point", place: place, bytesMax: Self.idBytesMax, isRequired: true) ?? "",
            executable: text(
                value,
                key: "executable",
                place: place,
                bytesMax: Self.pathBytesMax,
                isRequired: true
            ) ?? "",
            protocolVersion: version(value, place),
            entitlements: list(value, key: "entitlements", place: place)
        )
    }

    private mutating func readID(_ value: JSONValue) -> String {
        guard let id = text(value, key: "id", place: "", bytesMax: 4_096, isRequired: true) else { return "" }
        if !Self.isID(id) {
            reasons.add(
                "app.bad_id",
                field: "/id",
                text: Message(
                    "app.bad_id.in-manifest",
                    """
                    The id \(TextLimit.shown(id), "id") must consist of 1 to \(Self.idBytesMax, "most") \
                    letters, digits, dots, dashes or underscores.
                    """
                )
            )
        } else if id.hasPrefix(BuiltIn.prefix) || id == "screentime" {
            reasons.add(
                "app.reserved_id",
                field: "/id",
                text: Message(
                    "app.reserved_id.in-manifest",
                    "Ids that begin with \(BuiltIn.prefix, "prefix") belong to Screen Time itself."
                )
            )
        }
        return id
    }

    static func isID(_ text: String) -> Bool {
        (1...idBytesMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "-"):
                    true
                default: false
                }
            }
            // The id becomes the name of a folder.
            && text != "." && text != ".."
    }

    private static func isGroup(_ text: String) -> Bool {
        text.hasPrefix("group.") && text.utf8.count > 6 && isID(text)
    }

    private mutating func text(
        _ value: JSONValue,
        key: String,
        place: String,
        bytesMax: Int = textBytesMax,
        isRequired: Bool = false
    ) -> String? {
        guard let found = value[key], found != .null else {
            if isRequired {
                reasons.add(
                    "app.bad_manifest",
                    field: "\(place)/\(key)",
                    text: Message("app.bad_manifest.missing", "The manifest has no \(key, "field").")
                )
            }
            return nil
        }
        guard let text = found.string, !text.isEmpty, text.utf8.count <= bytesMax, text.isPlain
        else {
            reasons.add(
                "app.bad_manifest",
                field: "\(place)/\(key)",
                text: Message(
                    "app.bad_manifest.text",
                    """
                    The \(key, "field") must be a string of 1 to \(bytesMax, "most") bytes without control \
                    characters.
                    """
                )
            )
            return nil
        }
        return text
    }

    private mutating func version(_ value: JSONValue, _ place: String) -> Int64 {
        guard case .integer(let number) = value["protocol"] else {
            reasons.add(
                "app.bad_manifest",
                field: "\(place)/protocol",
                text: Message("app.bad_manifest.protocol", "The protocol must be a whole number, such as 1.")
            )
            return 0
        }
        return number
    }

    private mutating func list(_ value: JSONValue, key: String, place: String) -> [String] {
        guard case .array(let items) = value[key] ?? [] else {
            reasons.add(
                "app.bad_manifest",
                field: "\(place)/\(key)",
                text: Message("app.bad_manifest.list", "The \(key, "field") must be a list.")
            )
            return []
        }
        let texts = items.compactMap(\.string).filter {
            !$0.isEmpty && $0.utf8.count <= Self.idBytesMax && $0.isPlain
        }
        if texts.count < items.count || items.count > Self.listMax {
            reasons.add(
                "app.bad_manifest",
                field: "\(place)/\(key)",
                text: Message(
                    "app.bad_manifest.texts",
                    """
                    The \(key, "field") must have at most \(Self.listMax, "most") strings of 1 to \
                    \(Self.idBytesMax, "bytes") bytes each.
                    """
                )
            )
        }
        return Array(texts.prefix(Self.listMax))
    }
}
