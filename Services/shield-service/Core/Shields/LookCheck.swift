package import STContracts
import STCrypto
package import STPlatform

/// Makes an app's own look fit to be drawn: what is wrong is mended or left to the system, and reported.
///
/// A shield never fails because of what an app sends.
package struct LookCheck {
    /// The app's folder, with all links followed, and as it is named.
    private let bundle: String
    private let named: String
    /// Nil when there is no such file.
    private let file: (String) -> IconFile?
    private var notes: [(field: String, what: String)] = []

    /// Notes of one look that the message names; a broken program may cause many.
    private static let notesMax = 3

    package init(bundle: String, named: String? = nil, file: @escaping (String) -> IconFile?) {
        self.bundle = bundle
        self.named = named ?? bundle
        self.file = file
    }

    package mutating func check(_ look: ShieldLook) -> (look: ShieldLook, problem: Problem?) {
        var look = look
        if let blur = look.blur, !LookLimits.blurs.contains(blur) {
            note("blur", "is not a known style")
            look.blur = nil
        }
        look.background = color(look.background, "background")
        look.primaryBackground = color(look.primaryBackground, "primary_background")
        look.icon = look.icon.flatMap { icon($0) }
        look.title = text(look.title, "title")
        look.subtitle = text(look.subtitle, "subtitle")
        look.primary = text(look.primary, "primary", isOneLine: true)
        look.secondary = text(look.secondary, "secondary", isOneLine: true)
        look.submenu = look.submenu.prefix(LookLimits.submenu).map {
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

    private mutating func note(_ field: String, _ what: String) { notes.append((field, what)) }

    // MARK: - Texts and colours

    private mutating func text(_ text: ShieldText?, _ field: String, isOneLine: Bool = false) -> ShieldText? {
        guard let text else { return nil }
        let words = cleaned(text.text, field, isOneLine: isOneLine)
        // A person cannot know what a button without words does.
        if isOneLine, words.allSatisfy(\.isWhitespace) { return nil }
        let fallback = ShieldColor(light: "#1C1C1EFF", dark: "#F2F2F7FF")
        return ShieldText(text: words, color: color(text.color, field) ?? fallback)
    }

    private mutating func cleaned(_ text: String, _ field: String, isOneLine: Bool) -> String {
        let (words, faults) = LookText.cleaned(text, isOneLine: isOneLine)
        for fault in faults {
            switch fault {
            case .controlCharacters: note(field, "had control characters")
            case .tooLong: note(field, "was longer than \(LookLimits.textBytes) bytes")
            case .tooManyLines: note(field, "had more than \(LookLimits.textLines) lines")
            }
        }
        return words
    }

    private mutating func color(_ color: ShieldColor?, _ field: String) -> ShieldColor? {
        guard let color else { return nil }
        guard let light = Self.hex(color.light), let dark = Self.hex(color.dark) else {
            note(field, "has a colour that is not #RRGGBBAA")
            return nil
        }
        return ShieldColor(light: light, dark: dark)
    }

    /// Six digits are a colour one cannot see through.
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
            note("icon", fault)
            return nil
        }
        // Without it the other one stands on dark desktops too.
        var dark = icon.kind == .file ? icon.darkName : nil
        if let name = dark, let fault = fileFault(name) {
            note("icon", fault)
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
        // Four characters for three bytes: looked at before it is decoded.
        guard text.utf8.count <= LookLimits.iconDataBytes / 3 * 4 + 4 else {
            return "is larger than \(LookLimits.iconDataBytes / 1024) KiB"
        }
        guard let bytes = Base64.decode(text) else { return "is not base64" }
        // What an app has drawn. It has no pixels, and the program that draws it reads nothing else for it.
        return bytes.starts(with: "<svg ".utf8) ? nil : pictureFault(bytes)
    }

    private func fileFault(_ path: String) -> String? {
        guard path.hasPrefix("/"), path.utf8.count <= 4_096 else { return "is a file that is not there" }
        // By its name first: what an app's look names elsewhere is not even looked for.
        guard Self.isInside(path, bundle) || Self.isInside(path, named) else { return Self.outside }
        guard let file = file(path) else { return "is a file that is not there" }
        guard Self.isInside(file.path, bundle) else { return Self.outside }
        guard file.bytes <= LookLimits.iconFileBytes else {
            return "is a file larger than \(LookLimits.iconFileBytes >> 20) MiB"
        }
        return pictureFault(file.head)
    }

    private static let outside = "is a file outside the app's folder"

    /// By the names alone.
    package static func isInside(_ path: String, _ folder: String) -> Bool {
        path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
            && !path.split(separator: "/").contains("..")
    }

    private func pictureFault(_ head: [UInt8]) -> String? {
        guard let picture = PictureHead(head) else { return "is neither a PNG nor a JPEG" }
        let pixels = 1...LookLimits.iconPixels
        guard pixels.contains(picture.width), pixels.contains(picture.height) else {
            return "is a picture of \(picture.width) by \(picture.height)"
        }
        return nil
    }

    /// As the names of symbols are: letters, digits and dots.
    private static func isName(_ text: String) -> Bool {
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || $0.properties.numericType != nil
                || ".-_".unicodeScalars.contains($0)
        }
        return !text.isEmpty && text.utf8.count <= LookLimits.nameBytes && isPlain
    }
}

/// What is known of a file that an app's look names.
package struct IconFile: Sendable, Equatable {
    /// Where it really is, links followed.
    package var path: String
    package var bytes: Int64
    /// Its first bytes.
    package var head: [UInt8]

    package init(path: String, bytes: Int64, head: [UInt8]) {
        self.path = path
        self.bytes = bytes
        self.head = head
    }
}

/// What an app's own look may be.
package enum LookLimits {
    /// The largest picture within an answer.
    package static let iconDataBytes = 128 * 1024
    /// The largest picture in the app's bundle.
    package static let iconFileBytes: Int64 = 8 << 20
    /// In either direction; a small file may say that it is a huge picture.
    package static let iconPixels = 4_096
    package static let textBytes = 1_000
    package static let textLines = 10
    package static let nameBytes = 200
    /// Further ones are not shown, as on a phone.
    package static let submenu = 3

    /// Apple's names of the styles of a blur.
    package static let blurs: Set<String> = {
        let materials = ["UltraThin", "Thin", "", "Thick", "Chrome"].map { "system\($0)Material" }
        let all = materials.flatMap { [$0, $0 + "Light", $0 + "Dark"] }
        return Set(all + ["extraLight", "light", "dark", "extraDark", "regular", "prominent"])
    }()
}

/// A text of an app, made fit to be drawn.
enum LookText {
    enum Fault: String {
        case controlCharacters = "control_characters"
        case tooLong = "too_long"
        case tooManyLines = "too_many_lines"
    }

    /// On one line where it stands on a button.
    static func cleaned(_ text: String, isOneLine: Bool) -> (text: String, faults: [Fault]) {
        var faults: [Fault] = []
        // Long ones are cut first, so that nothing below works on a megabyte.
        let isLong = text.utf8.count > LookLimits.textBytes
        var scalars = String.UnicodeScalarView()
        for scalar in (isLong ? String(text.prefix(LookLimits.textBytes + 1)) : text).unicodeScalars {
            switch scalar.value {
            case 0x0A, 0x2028, 0x2029: scalars.append(isOneLine ? " " : "\n")
            // The line feed that belongs to it follows, or did not matter.
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
            if lines.count > LookLimits.textLines {
                result = lines.prefix(LookLimits.textLines).joined(separator: "\n")
                faults.append(.tooManyLines)
            }
        }
        if isLong || result.utf8.count > LookLimits.textBytes {
            result = TextFormat.fitting(result, bytes: LookLimits.textBytes)
            faults.append(.tooLong)
        }
        return (result, faults)
    }

    /// Also those that turn the direction of text around, as they can make it say something else.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: scalar.properties.generalCategory == .control
        }
    }
}
