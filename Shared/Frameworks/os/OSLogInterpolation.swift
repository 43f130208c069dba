/// Puts a message together from its words and values.
public struct OSLogInterpolation: StringInterpolationProtocol {
    package private(set) var text: String

    /// Called by the compiler.
    public init(literalCapacity: Int, interpolationCount: Int) {
        text = ""
        text.reserveCapacity(literalCapacity + interpolationCount * 8)
    }

    /// Words are always shown.
    public mutating func appendLiteral(_ literal: String) { text += literal }

    /// A text: hidden, unless it is public.
    public mutating func appendInterpolation(
        _ value: String,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += align.applied(privacy.shown(value, isPlain: false))
    }

    /// A whole number.
    public mutating func appendInterpolation<T: FixedWidthInteger>(
        _ value: T,
        format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += align.applied(privacy.shown(format.text(value), isPlain: true))
    }

    /// A number.
    public mutating func appendInterpolation(
        _ value: Double,
        format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += align.applied(privacy.shown(format.text(value), isPlain: true))
    }

    /// A number.
    public mutating func appendInterpolation(
        _ value: Float,
        format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += align.applied(privacy.shown(format.text(Double(value)), isPlain: true))
    }

    /// A truth value.
    public mutating func appendInterpolation(
        _ value: Bool,
        format: OSLogBoolFormat = .truth,
        privacy: OSLogPrivacy = .auto
    ) {
        text += privacy.shown(format.text(value), isPlain: true)
    }

    /// A type by its name.
    public mutating func appendInterpolation(_ value: any Any.Type, privacy: OSLogPrivacy = .auto) {
        text += privacy.shown(String(reflecting: value), isPlain: true)
    }

    /// Anything else as it describes itself: hidden, unless it is public.
    @_disfavoredOverload
    public mutating func appendInterpolation<T>(
        _ value: T,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += align.applied(privacy.shown(String(describing: value), isPlain: false))
    }
}
