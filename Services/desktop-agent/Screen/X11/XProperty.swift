import STDesktop
import STPlatform

/// What a window or the root says of itself under one name: it is from outside and may be anything.
struct XProperty: Equatable {
    /// Words of four bytes that are read of a text; whoever writes more is not read further.
    static let textWords: UInt32 = 512
    /// Of a list of windows or atoms.
    static let listWords: UInt32 = 4_096
    private static let latin: UInt32 = 31

    var type: UInt32
    var format: UInt8
    var bytes: [UInt8]

    var words: [UInt32] {
        guard format == 32 else { return [] }
        return bytes.withUnsafeBytes { raw in
            stride(from: 0, through: raw.count - 4, by: 4).map {
                raw.loadUnaligned(fromByteOffset: $0, as: UInt32.self)
            }
        }
    }

    /// Safe to show and to keep; nil where there is none.
    var text: String? { format == 8 ? Self.safe(bytes[...], isLatin: type == Self.latin) : nil }

    /// WM_CLASS: two texts with a zero after each.
    var pair: (String?, String?) {
        guard format == 8 else { return (nil, nil) }
        let parts = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        // Whoever says that it is Latin-1 and writes UTF-8 is believed to have written UTF-8.
        func part(_ index: Int) -> String? {
            guard index < parts.count else { return nil }
            return Self.safe(parts[index], isLatin: String(validating: parts[index], as: UTF8.self) == nil)
        }
        return (part(0), part(1))
    }

    static func safe(_ bytes: ArraySlice<UInt8>, isLatin: Bool) -> String? {
        // Some write a zero at the end, some write several texts.
        let first = bytes.prefix { $0 != 0 }
        guard !first.isEmpty else { return nil }
        let text =
            isLatin
            ? String(String.UnicodeScalarView(first.map { Unicode.Scalar($0) }))
            : String(decoding: first, as: UTF8.self)
        return TextFormat.fitting(DisplayWidth.harmless(text), bytes: DesktopWindow.textBytesMax)
    }
}
