import STContracts

public struct Label<Title: View, Icon: View>: View, PrimitiveView {
    public typealias Body = Never

    private let title: Title
    private let icon: Icon

    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
        self.title = title()
        self.icon = icon()
    }

    package func write(_ page: PageWriter) throws {
        let configuration = LabelStyleConfiguration(
            title: _StylePart("title", title),
            icon: _StylePart("icon", icon)
        )
        let style: any LabelStyle = page.environment.look.labelStyle ?? DefaultLabelStyle()
        try page.lower(style: style, configuration)
    }
}

extension Label where Title == Text, Icon == Image {
    public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
        self.init(title: { Text(titleKey) }, icon: { Image(systemName: name) })
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage name: String) {
        self.init(title: { Text(title) }, icon: { Image(systemName: name) })
    }

    public init(_ titleKey: LocalizedStringKey, image name: String) {
        self.init(title: { Text(titleKey) }, icon: { Image(name) })
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, image name: String) {
        self.init(title: { Text(title) }, icon: { Image(name) })
    }
}

@MainActor @preconcurrency
public protocol LabelStyle {
    associatedtype Body: View

    typealias Configuration = LabelStyleConfiguration

    @ViewBuilder func makeBody(configuration: Self.Configuration) -> Self.Body
}

public struct LabelStyleConfiguration {
    public struct Words {}
    public struct Picture {}

    public typealias Title = _StylePart<Words>
    public typealias Icon = _StylePart<Picture>

    public let title: Title
    public let icon: Icon
}

public struct DefaultLabelStyle: LabelStyle {
    nonisolated public init() {}

    public func makeBody(configuration: Configuration) -> some View {
        HStack(spacing: 8) {
            configuration.icon
            configuration.title
        }
    }
}

public struct TitleAndIconLabelStyle: LabelStyle {
    nonisolated public init() {}

    public func makeBody(configuration: Configuration) -> some View {
        DefaultLabelStyle().makeBody(configuration: configuration)
    }
}

/// A style that shows only the title of a label.
public struct TitleOnlyLabelStyle: LabelStyle {
    nonisolated public init() {}

    public func makeBody(configuration: Configuration) -> some View { configuration.title }
}

public struct IconOnlyLabelStyle: LabelStyle {
    nonisolated public init() {}

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
    nonisolated public static var automatic: Self { Self() }
}

extension LabelStyle where Self == TitleAndIconLabelStyle {
    nonisolated public static var titleAndIcon: Self { Self() }
}

extension LabelStyle where Self == TitleOnlyLabelStyle {
    /// A style that shows only the title of a label.
    nonisolated public static var titleOnly: TitleOnlyLabelStyle { TitleOnlyLabelStyle() }
}

extension LabelStyle where Self == IconOnlyLabelStyle {
    nonisolated public static var iconOnly: Self { Self() }
}
