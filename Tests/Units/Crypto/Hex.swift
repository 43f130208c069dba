/// Bytes as vectors are printed.
enum Hex {
    static func text(_ bytes: [UInt8]) -> String {
        bytes.map { (($0 < 16) ? "0" : "") + String($0, radix: 16) }.joined()
    }

    static func bytes(_ text: String) -> [UInt8] {
        var rest = text[...]
        var bytes: [UInt8] = []
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
