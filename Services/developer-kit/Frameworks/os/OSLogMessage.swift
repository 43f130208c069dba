import STPlatform

public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral, Sendable {
    /// The message. Hidden values are masked.
    package let text: String

    public init(stringLiteral value: String) { text = value }

    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

public struct OSLogInterpolation: StringInterpolationProtocol {
    package private(set) var text: String

    public init(literalCapacity: Int, interpolationCount: Int) {
        text = ""
        text.reserveCapacity(literalCapacity + interpolationCount * 8)
    }

    public mutating func appendLiteral(_ literal: String) { text += literal }

    /// Appends a string. It is hidden unless it is public.
    public mutating func appendInterpolation(
        _ value: String,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += align.applied(privacy.shown(value, isPlain: false))
    }

    public mutating func appendInterpolation<T: FixedWidthInteger>(
        _ value: T,
        format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += align.applied(privacy.shown(format.text(value), isPlain: true))
    }

    public mutating func appendInterpolation(
        _ value: Double,
        format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += align.applied(privacy.shown(format.text(value), isPlain: true))
    }

    public mutating func appendInterpolation(
        _ value: Float,
        format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += align.applied(privacy.shown(format.text(Double(value)), isPlain: true))
    }

    public mutating func appendInterpolation(
        _ value: Bool,
        format: OSLogBoolFormat = .truth,
        privacy: OSLogPrivacy = .auto
    ) {
        text += privacy.shown(format.text(value), isPlain: true)
    }

    public mutating func appendInterpolation(_ value: any Any.Type, privacy: OSLogPrivacy = .auto) {
        text += privacy.shown(String(reflecting: value), isPlain: true)
    }

    /// Appends a value. It is hidden unless it is public.
    @_disfavoredOverload
    public mutating func appendInterpolation<T>(
        _ value: T,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += align.applied(privacy.shown(String(describing: value), isPlain: false))
    }
}

public struct OSLogPrivacy: Equatable, Sendable {
    public enum Mask: Sendable {
        /// Replaces a hidden value with a number that is the same for equal values.
        case hash, none
    }

    package enum Kind: Sendable {
        case open, closed, automatic
    }

    package let kind: Kind
    package let mask: Mask

    /// Shows numbers and Booleans, and hides strings and objects.
    public static let auto = OSLogPrivacy(kind: .automatic, mask: .none)
    public static let `public` = OSLogPrivacy(kind: .open, mask: .none)
    public static let `private` = OSLogPrivacy(kind: .closed, mask: .none)
    public static let sensitive = OSLogPrivacy(kind: .closed, mask: .none)

    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .automatic, mask: mask) }

    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .closed, mask: mask) }

    public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .closed, mask: mask) }

    /// Returns the text, or its mask if it is hidden.
    package func shown(_ text: String, isPlain: Bool) -> String {
        let isOpen =
            switch kind {
            case .open: true
            case .closed: false
            case .automatic: isPlain
            }
        if isOpen { return text }
        // The hash distinguishes values. It does not keep them secret from an attacker who guesses them.
        return mask == .none ? "<private>" : "<mask.hash: '\(Fingerprint(text).hex)'>"
    }
}
