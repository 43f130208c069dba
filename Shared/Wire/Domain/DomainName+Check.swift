import STPlatform

extension DomainName {
    private static let labelBytesMax = 63

    /// The name of a site as browsers report it: lower case, in ASCII, without what does not belong to it.
    package static func checked(_ text: String, field: String) throws -> String {
        func refused(_ sentence: String) -> Problem {
            Problem("domain.invalid", sentence, field: field, details: ["domain": String(text.prefix(80))])
        }
        if text.contains("*") {
            throw refused(
                "Leave the star out: a site's name, such as example.com, stands for all that ends with it."
            )
        }
        if text.contains("/") || text.contains("?") || text.contains("#") {
            throw refused("Write only the name, such as example.com, without https:// and without a path.")
        }
        if text.contains("@") { throw refused("That is an address of e-mail; write the site's name.") }
        if text.contains(":") {
            throw refused("Leave the port out: example.com stands for the site at every port.")
        }
        // Checked before the letters are looked at one by one.
        guard text.utf8.count <= 4 * bytesMax else { throw refused("A name has at most \(bytesMax) bytes.") }
        let labels = normal(text).split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1 else {
            throw refused("Write the whole name of the site, such as example.com.")
        }
        let name = try labels.map { label in
            guard let plain = Self.ascii(label) else {
                throw refused(
                    "\(text.prefix(80)) is no site's name: between dots are letters, digits and hyphens, "
                        + "with no hyphen first or last."
                )
            }
            return plain
        }.joined(separator: ".")
        guard name.utf8.count <= bytesMax else { throw refused("A name has at most \(bytesMax) bytes.") }
        guard labels.last?.allSatisfy({ $0.isNumber }) == false else {
            throw refused("Numbers alone are an address and no site's name.")
        }
        return name
    }

    /// The same for a name that was seen: nil for what is none.
    package static func canonical(_ text: String) -> String? { try? checked(text, field: "") }

    /// One label in ASCII; nil when it is none.
    private static func ascii(_ label: Substring) -> String? {
        guard let first = label.unicodeScalars.first, let last = label.unicodeScalars.last,
            first != "-", last != "-"
        else { return nil }
        var plain = String(label)
        if label.unicodeScalars.contains(where: { !$0.isASCII }) {
            guard label.unicodeScalars.allSatisfy(isPartOfName),
                let encoded = Punycode.encode(Array(label.unicodeScalars))
            else { return nil }
            plain = "xn--" + encoded
        } else if plain.hasPrefix("xn--") {
            // What does not come out the same way round is written by nobody but a deceiver.
            guard let scalars = Punycode.decode(String(plain.dropFirst(4))),
                scalars.contains(where: { !$0.isASCII }), scalars.allSatisfy(isPartOfName),
                Punycode.encode(scalars) == String(plain.dropFirst(4))
            else { return nil }
        }
        let isPlain = plain.utf8.allSatisfy { byte in
            byte >= 97 && byte <= 122 || byte >= 48 && byte <= 57 || byte == UInt8(ascii: "-")
        }
        return isPlain && plain.utf8.count <= labelBytesMax ? plain : nil
    }

    /// Letters and digits of any script, as one scalar where there is one: the same name is then always the same.
    private static func isPartOfName(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return scalar == "-" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }
        // Marks and parts of syllables that are composed with what stands before them.
        if 0x300...0x36f ~= scalar.value || 0x1100...0x11ff ~= scalar.value { return false }
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark, .decimalNumber:
            return true
        default: return false
        }
    }
}
