public import Foundation

/// Shows views while an app is written; here nothing does.
@MainActor @preconcurrency
public protocol PreviewProvider {
    /// What is shown.
    associatedtype Previews: View

    /// What is shown.
    @ViewBuilder @MainActor @preconcurrency static var previews: Self.Previews { get }
}

extension View {
    /// What a preview is called.
    public func previewDisplayName(_ value: String?) -> some View { self }
    /// How a preview is laid out.
    public func previewLayout(_ value: PreviewLayout) -> some View { self }
    /// On what a preview is shown.
    public func previewDevice(_ value: PreviewDevice?) -> some View { self }
}

/// How a preview is laid out.
public enum PreviewLayout: Sendable {
    /// As on a device.
    case device
    /// As large as the view.
    case sizeThatFits
    /// In that size.
    case fixed(width: CGFloat, height: CGFloat)
}

/// On what a preview is shown.
public struct PreviewDevice: RawRepresentable, ExpressibleByStringLiteral, Sendable {
    /// What it is called.
    public let rawValue: String

    /// The device of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The device of that name.
    public init(stringLiteral value: String) { rawValue = value }
}
