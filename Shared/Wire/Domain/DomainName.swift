import STPlatform

/// Names of web sites. People type `münchen.de`, and browsers request `xn--mnchen-3ya.de`.
package enum DomainName {
    /// The DNS limit for one name.
    package static let bytesMax = 253
    private static let labelBytesMax = 63

    /// The name in lower case, without a dot at the end.
    package static func normal(_ domain: String) -> String {
        let name = domain.hasSuffix(".") ? String(domain.dropLast()) : domain
        return name.utf8.contains { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") || $0 >= 0x80 }
            ? name.lowercased() : name
    }

    /// The first result for a name or its parent domains, in this order: `m.youtube.com`, `youtube.com`, `com`.
    package static func first<T>(for domain: String, _ find: (String) -> T?) -> T? {
        guard domain.utf8.count <= bytesMax + 1 else { return nil }
        var name = normal(domain)
        while !name.isEmpty {
            if let found = find(name) { return found }
            guard let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
            name = String(name[name.utf8.index(after: dot)...])
        }
        return nil
    }

    /// The name of a site as browsers report it, in lower case and ASCII. Throws if the text is not only a name.
    package static func checked(_ text: String, field: String) throws -> String {
        func refused(_ why: Message) -> Problem {
            Problem("domain.invalid", text: why, field: field, details: ["domain": String(text.prefix(80))])
        }
        func tooLong() -> Problem {
            refused(
                Message("domain.invalid.too-long", "A site's name has at most \(bytesMax, "most") bytes.")
            )
        }
        if text.contains("*") {
            throw refused(
                Message(
                    "domain.invalid.star",
                    "Leave out the star. A site's name, such as example.com, already includes all its subdomains."
                )
            )
        }
        if text.contains("/") || text.contains("?") || text.contains("#") {
            throw refused(
                Message(
                    "domain.invalid.path",
                    "Write only the name, such as example.com, without https:// and without a path."
                )
            )
        }
        if text.contains("@") {
            throw refused(
                Message("domain.invalid.e-mail", "That is an e-mail address; write the site's name.")
            )
        }
        if text.contains(":") {
            throw refused(
                Message(
                    "domain.invalid.port",
                    "Leave out the port. example.com means the site on every port."
                )
            )
        }
        // Checked before each letter is examined.
        guard text.utf8.count <= 4 * bytesMax else { throw tooLong() }
        let labels = normal(text).split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1 else {
            throw refused(
                Message("domain.invalid.whole-name", "Write the whole name of the site, such as example.com.")
            )
        }
        let name = try labels.map { label in
            guard let plain = Self.ascii(label) else {
                throw refused(
                    Message(
                        "domain.invalid.no-name",
                        """
                        \(text.prefix(80), "text") is not a site's name. Each part between dots must consist \
                        of letters, digits and hyphens, and must not begin or end with a hyphen.
                        """
                    )
                )
            }
            return plain
        }.joined(separator: ".")
        guard name.utf8.count <= bytesMax else { throw tooLong() }
        guard labels.last?.allSatisfy({ $0.isNumber }) == false else {
            throw refused(
                Message("domain.invalid.numbers", "A name of only numbers is an address, not a site's name.")
            )
        }
        return name
    }

    /// The same for an observed name. `nil` if the text is not a name.
    package static func canonical(_ text: String) -> String? { try? checked(text, field: "") }

    /// One label in ASCII. `nil` if it is not a label.
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
            // A label that encodes differently from how it was written can only be a deception.
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

    /// True for letters and digits of any script. Characters that have a composed form must use it, so that a name has one
    /// spelling.
    private static func isPartOfName(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return scalar == "-" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }
        // Marks and syllable parts that combine with the character before them.
        if 0x300...0x36f ~= scalar.value || 0x1100...0x11ff ~= scalar.value { return false }
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark, .decimalNumber:
            return true
        default: return false
        }
    }

    /// The ASCII form if there is one. Otherwise the name in lower case.
    package static func shown(_ domain: String) -> String { host(domain) ?? normal(domain) }

    /// The ASCII name of a host: at least two labels of letters, digits and inner hyphens. `nil` if it is not one.
    package static func host(_ domain: String) -> String? {
        let name = normal(domain)
        let labels = name.split(separator: ".", omittingEmptySubsequences: false).map {
            hostLabel(String($0))
        }
        guard labels.count > 1 else { return nil }
        var parts: [String] = []
        for label in labels {
            guard let label else { return nil }
            parts.append(label)
        }
        // The last label must not be a number, because the name would be an IP address.
        guard let last = parts.last, last.utf8.contains(where: { !(48...57).contains($0) }) else {
            return nil
        }
        let joined = parts.joined(separator: ".")
        return joined.utf8.count <= bytesMax ? joined : nil
    }

    private static func hostLabel(_ text: String) -> String? {
        var label = text
        if text.utf8.contains(where: { $0 >= 0x80 }) {
            let isWord = text.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII || scalar.properties.isAlphabetic
                    || scalar.properties.numericType != nil
                    || scalar.properties.generalCategory == .nonspacingMark
                    || scalar.properties.generalCategory == .spacingMark
            }
            guard isWord, text.utf8.count <= bytesMax,
                let encoded = Punycode.encode(Array(text.unicodeScalars))
            else {
                return nil
            }
            label = "xn--" + encoded
        }
        let bytes = label.utf8
        guard let first = bytes.first, let last = bytes.last, bytes.count <= labelBytesMax,
            first != UInt8(ascii: "-"), last != UInt8(ascii: "-"), bytes.allSatisfy(isHostByte)
        else { return nil }
        return label
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        // Some hosts have an underscore, and block lists contain them.
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
