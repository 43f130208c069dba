import STContracts

/// How words with a picture look.
@MainActor @preconcurrency
public protocol LabelStyle {
    /// What they are.
    associatedtype Body: View

    /// The words and the picture.
    typealias Configuration = LabelStyleConfiguration

    /// What they are.
    @ViewBuilder func makeBody(configuration: Self.Configuration) -> Self.Body
}

/// Words and a picture.
public struct LabelStyleConfiguration {
    /// The words.
    public struct Words {}
    /// The picture.
    public struct Picture {}

    /// The words.
    public typealias Title = _StylePart<Words>
    /// The picture.
    public typealias Icon = _StylePart<Picture>

    /// The words.
    public let title: Title
    /// The picture.
    public let icon: Icon
}

/// The picture, then the words.
public struct DefaultLabelStyle: LabelStyle {
    /// One.
    nonisolated public init() {}

    /// Both.
    public func makeBody(configuration: Configuration) -> some View {
        HStack(spacing: 8) {
            configuration.icon
            configuration.title
        }
    }
}

/// The picture, then the words.
public struct TitleAndIconLabelStyle: LabelStyle {
    /// One.
    nonisolated public init() {}

    /// Both.
    public func makeBody(configuration: Configuration) -> some View {
        DefaultLabelStyle().makeBody(configuration: configuration)
    }
}

/// The words alone.
public struct TitleOnlyLabelStyle: LabelStyle {
    /// One.
    nonisolated public init() {}

    /// The words.
    public func makeBody(configuration: Configuration) -> some View { configuration.title }
}

/// The picture alone; the words are said.
public struct IconOnlyLabelStyle: LabelStyle {
    /// One.
    nonisolated public init() {}

    /// The picture.
    public func makeBody(configuration: Configuration) -> some View {
        configuration.icon.lowered { page, content in
            let words = try page.collect { try page.lower(configuration.title) }.map(\.words)
                .joined(separator: " ")
            try page.each(content) {
                guard !words.isEmpty else { return }
                $0.node.label = words
                $0.node.isDecoration = nil
            }
        }
    }
}

extension LabelStyle where Self == DefaultLabelStyle {
    /// The picture, then the words.
    nonisolated public static var automatic: DefaultLabelStyle { DefaultLabelStyle() }
}

extension LabelStyle where Self == TitleAndIconLabelStyle {
    /// The picture, then the words.
    nonisolated public static var titleAndIcon: TitleAndIconLabelStyle { TitleAndIconLabelStyle() }
}

extension LabelStyle where Self == TitleOnlyLabelStyle {
    /// The words alone.
    nonisolated public static var titleOnly: TitleOnlyLabelStyle { TitleOnlyLabelStyle() }
}

extension LabelStyle where Self == IconOnlyLabelStyle {
    /// The picture alone.
    nonisolated public static var iconOnly: IconOnlyLabelStyle { IconOnlyLabelStyle() }
}
