// Names of sites as they go over the wire: people type `한국.com`, browsers ask for `xn--3e0b707e.com`.

extension DomainName {
    private static let labelBytesMax = 63

    /// The ASCII form where there is one, else the name as it is, in lower case.
    package static func shown(_ domain: String) -> String { host(domain) ?? normal(domain) }

    /// Nil unless this is the name of a host: labels of letters, digits and inner dashes, two of them at least.
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
        // The last one is never a number, or it would be the address of a computer.
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
            guard isWord, text.utf8.count <= bytesMax, let encoded = punycode(Array(text.unicodeScalars))
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
        // Some hosts have an underscore, and block lists name them.
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// RFC 3492.
    private static func punycode(_ scalars: [Unicode.Scalar]) -> String? {
        var output = scalars.filter(\.isASCII).map { Character($0) }
        let basic = output.count
        if basic > 0 { output.append("-") }
        var handled = basic
        var code: UInt32 = 128
        var delta = 0
        var bias = 72
        while handled < scalars.count {
            guard let next = scalars.map(\.value).filter({ $0 >= code }).min() else { return nil }
            delta += Int(next - code) * (handled + 1)
            code = next
            for scalar in scalars.map(\.value) {
                if scalar < code { delta += 1 }
                guard scalar == code else { continue }
                var rest = delta
                var place = 36
                while true {
                    let threshold = min(26, max(1, place - bias))
                    if rest < threshold { break }
                    output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
                    rest = (rest - threshold) / (36 - threshold)
                    place += 36
                }
                output.append(digit(rest))
                bias = adapted(delta, handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            code += 1
        }
        return String(output)
    }

    private static func digit(_ value: Int) -> Character {
        Character(Unicode.Scalar(UInt8(value < 26 ? 97 + value : 22 + value)))
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var steps = 0
        while delta > 455 {
            delta /= 35
            steps += 36
        }
        return steps + 36 * delta / (delta + 38)
    }
}
