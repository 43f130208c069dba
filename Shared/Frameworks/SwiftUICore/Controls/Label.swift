import STContracts

/// Words with a picture.
public struct Label<Title: View, Icon: View>: View, PrimitiveView {
    /// It is both.
    public typealias Body = Never

    private let title: Title
    private let icon: Icon

    /// Those.
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
    /// With one of the system's pictures.
    public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
        self.init(title: { Text(titleKey) }, icon: { Image(systemName: name) })
    }

    /// With one of the system's pictures.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage name: String) {
        self.init(title: { Text(title) }, icon: { Image(systemName: name) })
    }

    /// With one of the app's pictures.
    public init(_ titleKey: LocalizedStringKey, image name: String) {
        self.init(title: { Text(titleKey) }, icon: { Image(name) })
    }

    /// With one of the app's pictures.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, image name: String) {
        self.init(title: { Text(title) }, icon: { Image(name) })
    }
}
