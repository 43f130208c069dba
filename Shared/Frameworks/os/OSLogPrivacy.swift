/// Who may read a value in a message.
public struct OSLogPrivacy: Equatable, Sendable {
    /// What stands in place of a value that is hidden.
    public enum Mask: Sendable {
        /// A number that is the same for equal values.
        case hash

        /// Nothing.
        case none
    }

    package enum Kind: Sendable {
        case open, closed, automatic
    }

    package let kind: Kind
    package let mask: Mask

    /// Numbers and truth values are shown; texts and objects are hidden.
    public static let auto = OSLogPrivacy(kind: .automatic, mask: .none)

    /// It is shown.
    public static let `public` = OSLogPrivacy(kind: .open, mask: .none)

    /// It is hidden.
    public static let `private` = OSLogPrivacy(kind: .closed, mask: .none)

    /// It is hidden, always.
    public static let sensitive = OSLogPrivacy(kind: .closed, mask: .none)

    /// As `auto`, with this in place of what is hidden.
    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .automatic, mask: mask) }

    /// As `private`, with this in place of what is hidden.
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .closed, mask: mask) }

    /// As `sensitive`, with this in place of what is hidden.
    public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .closed, mask: mask) }

    /// The text, or what stands in its place.
    package func shown(_ text: String, isPlain: Bool) -> String {
        let isOpen =
            switch kind {
            case .open: true
            case .closed: false
            case .automatic: isPlain
            }
        if isOpen { return text }
        return mask == .none ? "<private>" : "<mask.hash: '\(Self.digest(text))'>"
    }

    /// FNV-1a: for telling values apart, not for keeping them secret from somebody who guesses.
    private static func digest(_ text: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return String(hash, radix: 16)
    }
}
