package import STContracts
import STCrypto
package import STPlatform

/// Makes an app's look drawable. Invalid parts are corrected or left to the system, and reported.
///
/// A shield never fails because of an app's reply.
package struct ShieldAppearanceCheck {
    /// The app's folder, with all links resolved, and by its given name.
    private let bundle: String
    private let named: String
    /// Finds a file. Returns `nil` if it does not exist.
    private let file: (String) -> IconFile?
    private var notes: [(field: String, what: String)] = []

    /// Upper bound on the notes in one message, because a broken program can cause many.
    private static let notesMax = 3

    package init(bundle: String, named: String? = nil, file: @escaping (String) -> IconFile?) {
        self.bundle = bundle
        self.named = named ?? bundle
        self.file = file
    }

    package mutating func check(_ look: ShieldAppearance) -> (look: ShieldAppearance, problem: Problem?) {
        var look = look
        if let blur = look.blur, !ShieldAppearanceLimits.blurs.contains(blur) {
            addNote("blur", "is not a known style")
            look.blur = nil
        }
        look.background = color(look.background, "background")
        look.primaryBackground = color(look.primaryBackground, "primary_background")
        look.icon = look.icon.flatMap { icon($0) }
        look.title = text(look.title, "title")
        look.subtitle = text(look.subtitle, "subtitle")
        look.primary = text(look.primary, "primary", isOneLine: true)
        look.secondary = text(look.secondary, "secondary", isOneLine: true)
        look.submenu = look.submenu.prefix(ShieldAppearanceLimits.submenu).map {
            cleaned($0, "submenu", isOneLine: true)
        }
        return (look, problem)
    }

    private var problem: Problem? {
        guard !notes.isEmpty else { return nil }
        let said = notes.prefix(Self.notesMax).map { "\($0.field) \($0.what)" }.joined(separator: ", ")
        let more = notes.count > Self.notesMax ? ", and \(notes.count - Self.notesMax) more" : ""
        return Problem(
            "shield.look_mended",
            """
            Screen Time corrected parts of the appearance that the app chose for the shield: \
            \(said, "said")\(more, "more").
            """,
            field: "/look/\(notes[0].field)"
        )
    }

    private mutating func addNote(_ field: String, _ what: String) { notes.append((field, what)) }

    // MARK: - Texts and colours

    private mutating func text(_ text: ShieldText?, _ field: String, isOneLine: Bool = false) -> ShieldText? {
        guard let text else { return nil }
        let words = cleaned(text.text, field, isOneLine: isOneLine)
        // A person cannot tell the purpose of a button without text.
        if isOneLine, words.allSatisfy(\.isWhitespace) { return nil }
        let fallback = ShieldColor(light: "#1C1C1EFF", dark: "#F2F2F7FF")
        return ShieldText(text: words, color: color(text.color, field) ?? fallback)
    }

    private mutating func cleaned(_ text: String, _ field: String, isOneLine: Bool) -> String {
        let (words, faults) = ShieldAppearanceText.cleaned(text, isOneLine: isOneLine)
        for fault in faults {
            switch fault {
            case .controlCharacters: addNote(field, "had control characters")
            case .tooLong: addNote(field, "was longer than \(ShieldAppearanceLimits.textBytes) bytes")
            case .tooManyLines: addNote(field, "had more than \(ShieldAppearanceLimits.textLines) lines")
            }
        }
        return words
    }

    private mutating func color(_ color: ShieldColor?, _ field: String) -> ShieldColor? {
        guard let color else { return nil }
        guard let light = Self.hex(color.light), let dark = Self.hex(color.dark) else {
            addNote(field, "has a colour that is not #RRGGBBAA")
            return nil
        }
        return ShieldColor(light: light, dark: dark)
    }

    /// Returns the colour with eight digits. Six digits are an opaque colour.
    private static func hex(_ text: String) -> String? {
        let digits = Array(text.utf8.dropFirst())
        guard text.utf8.first == UInt8(ascii: "#"), digits.count == 8 || digits.count == 6 else { return nil }
        let isHex = digits.allSatisfy {
            switch $0 {
            case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
            default: false
            }
        }
        guard isHex else { return nil }
        return digits.count == 8 ? text : text + "FF"
    }

    // MARK: - Pictures

    private mutating func icon(_ icon: ShieldIcon) -> ShieldIcon? {
        let fault: String?
        switch icon.kind {
        case .data: fault = dataFault(icon.data ?? "")
        case .file: fault = fileFault(icon.name ?? "")
        case .system: fault = Self.isName(icon.name ?? "") ? nil : "does not name a picture"
        case .unknown: fault = "is of a kind that this version does not know"
        }
        if let fault {
            addNote("icon", fault)
            return nil
        }
        // Without a dark picture, the light one also appears on dark desktops.
        var dark = icon.kind == .file ? icon.darkName : nil
        if let name = dark, let fault = fileFault(name) {
            addNote("icon", fault)
            dark = nil
        }
        return ShieldIcon(
            kind: icon.kind,
            data: icon.kind == .data ? icon.data : nil,
            name: icon.kind == .data ? nil : icon.name,
            darkName: dark,
            tint: color(icon.tint, "icon")
        )
    }

    private func dataFault(_ text: String) -> String? {
        // Base64 has four characters for three bytes. Check the length before decoding.
        guard text.utf8.count <= ShieldAppearanceLimits.iconDataBytes / 3 * 4 + 4 else {
            return "is larger than \(ShieldAppearanceLimits.iconDataBytes / 1024) KiB"
        }
        guard let bytes = Base64.decode(text) else { return "is not base64" }
        // An SVG that the app has drawn. It has no pixels, and the program that draws it reads no other file for it.
        return bytes.starts(with: "<svg ".utf8) ? nil : pictureFault(bytes)
    }

    private func fileFault(_ path: String) -> String? {
        guard path.hasPrefix("/"), path.utf8.count <= 4_096 else { return "is a file that is not there" }
        // Check the name first, so that a path outside the app's folder is never accessed.
        guard Self.isInside(path, bundle) || Self.isInside(path, named) else { return Self.outside }
        guard let file = file(path) else { return "is a file that is not there" }
        guard Self.isInside(file.path, bundle) else { return Self.outside }
        guard file.bytes <= ShieldAppearanceLimits.iconFileBytes else {
            return "is a file larger than \(ShieldAppearanceLimits.iconFileBytes >> 20) MiB"
        }
        return pictureFault(file.head)
    }

    private static let outside = "is a file outside the app's folder"

    /// Compares the names only, without accessing the disk.
    package static func isInside(_ path: String, _ folder: String) -> Bool {
        path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
            && !path.split(separator: "/").contains("..")
    }

    private func pictureFault(_ head: [UInt8]) -> String? {
        guard let picture = ImageHeader(head) else { return "is neither a PNG nor a JPEG" }
        let pixels = 1...ShieldAppearanceLimits.iconPixels
        guard pixels.contains(picture.width), pixels.contains(picture.height) else {
            return "is a picture of \(picture.width) by \(picture.height)"
        }
        return nil
    }

    /// Returns true if the text has the form of a symbol's name: letters, digits, and `.`, `-` or `_`.
    private static func isName(_ text: String) -> Bool {
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || $0.properties.numericType != nil
                || ".-_".unicodeScalars.contains($0)
        }
        return !text.isEmpty && text.utf8.count <= ShieldAppearanceLimits.nameBytes && isPlain
    }
}

/// The properties of a file that an app's look names.
package struct IconFile: Sendable, Equatable {
    /// The real path, with all links resolved.
    package var path: String
    package var bytes: Int64
    /// The first bytes.
    package var head: [UInt8]

    package init(path: String, bytes: Int64, head: [UInt8]) {
        self.path = path
        self.bytes = bytes
        self.head = head
    }
}

/// Limits of an app's own look.
package enum ShieldAppearanceLimits {
    /// Upper bound on a picture within a reply, in bytes.
    package static let iconDataBytes = 128 * 1024
    /// Upper bound on a picture in the app's bundle, in bytes.
    package static let iconFileBytes: Int64 = 8 << 20
    /// Upper bound on the width and the height. The header of a small file can declare a huge picture.
    package static let iconPixels = 4_096
    package static let textBytes = 1_000
    package static let textLines = 10
    package static let nameBytes = 200
    /// Upper bound on the lines of a menu. As on a phone, further ones are not shown.
    package static let submenu = 3

    /// Apple's names of blur styles.
    package static let blurs: Set<String> = {
        let materials = ["UltraThin", "Thin", "", "Thick", "Chrome"].map { "system\($0)Material" }
        let all = materials.flatMap { [$0, $0 + "Light", $0 + "Dark"] }
        return Set(all + ["extraLight", "light", "dark", "extraDark", "regular", "prominent"])
    }()
}

/// Makes an app's text drawable.
enum ShieldAppearanceText {
    enum Fault: String {
        case controlCharacters = "control_characters"
        case tooLong = "too_long"
        case tooManyLines = "too_many_lines"
    }

    /// Returns the text without its faults, on one line for a button.
    static func cleaned(_ text: String, isOneLine: Bool) -> (text: String, faults: [Fault]) {
        var faults: [Fault] = []
        // Long texts are cut first, so that the steps below never process a megabyte.
        let isLong = text.utf8.count > ShieldAppearanceLimits.textBytes
        var scalars = String.UnicodeScalarView()
        for scalar in (isLong ? String(text.prefix(ShieldAppearanceLimits.textBytes + 1)) : text)
            .unicodeScalars
        {
            switch scalar.value {
            case 0x0A, 0x2028, 0x2029: scalars.append(isOneLine ? " " : "\n")
            // Skip it: a line feed follows, or the carriage return has no meaning.
            case 0x0D: continue
            case 0x09: scalars.append(" ")
            case _ where isControl(scalar):
                if !faults.contains(.controlCharacters) { faults.append(.controlCharacters) }
            default: scalars.append(scalar)
            }
        }
        var result = String(scalars)
        if !isOneLine {
            let lines = result.split(separator: "\n", omittingEmptySubsequences: false)
            if lines.count > ShieldAppearanceLimits.textLines {
                result = lines.prefix(ShieldAppearanceLimits.textLines).joined(separator: "\n")
                faults.append(.tooManyLines)
            }
        }
        if isLong || result.utf8.count > ShieldAppearanceLimits.textBytes {
            result = TextFormat.truncated(result, bytes: ShieldAppearanceLimits.textBytes)
            faults.append(.tooLong)
        }
        return (result, faults)
    }

    /// Returns true for control characters, and for those that reverse text, because these can change its meaning.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: scalar.properties.generalCategory == .control
        }
    }
}
