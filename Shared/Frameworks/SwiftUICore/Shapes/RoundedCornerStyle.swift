/// How round corners are made; who draws has one way.
public enum RoundedCornerStyle: Sendable {
    /// As a part of a circle.
    case circular
    /// More softly.
    case continuous
}
