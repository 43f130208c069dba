public import Foundation

extension View {
    public func buttonStyle<S: ButtonStyle>(_ style: S) -> some View {
        changed { $0.look.buttonStyle = style }
    }
    /// Sets one of the system's button styles, whose names are declared on a separate protocol.
    public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View {
        changed { $0.look.buttonStyle = style }
    }
    public func labelStyle<S: LabelStyle>(_ style: S) -> some View { changed { $0.look.labelStyle = style } }
    public func toggleStyle<S: ToggleStyle>(_ style: S) -> some View {
        changed { $0.look.toggleStyle = style }
    }
    public func progressViewStyle<S: ProgressViewStyle>(_ style: S) -> some View {
        changed { $0.look.progressStyle = style }
    }
    public func gaugeStyle<S: GaugeStyle>(_ style: S) -> some View { changed { $0.look.gaugeStyle = style } }
    // No effect: the drawing program selects the appearance of these controls.
    public func pickerStyle<S: PickerStyle>(_ style: S) -> some View { self }
    public func listStyle<S: ListStyle>(_ style: S) -> some View { self }
    public func textFieldStyle<S: TextFieldStyle>(_ style: S) -> some View { self }
    public func groupBoxStyle<S: GroupBoxStyle>(_ style: S) -> some View { self }
    public func menuStyle<S: MenuStyle>(_ style: S) -> some View { self }

    public func labelsHidden() -> some View { changed { $0.look.hidesLabels = true } }
    // No effect: the drawing program selects sizes and shapes.
    public func controlSize(_ controlSize: ControlSize) -> some View { self }
    public func buttonBorderShape(_ shape: ButtonBorderShape) -> some View { self }
    public func imageScale(_ scale: Image.Scale) -> some View { self }
    public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> some View { self }
    public func symbolVariant(_ variant: SymbolVariants) -> some View { self }

    public func listRowBackground<V: View>(_ view: V?) -> some View {
        lowered { page, content in
            let ground = try page.within(.part("row")) { try page.collectOne { try page.lower(view) } }
            try page.each(content) { $0.traits.rowBackground = ground }
        }
    }

    public func listRowInsets(_ insets: EdgeInsets?) -> some View { marked { $0.traits.rowInsets = insets } }

    // No effect: the drawing program selects lines and spacing.
    public func listRowSeparator(_ visibility: Visibility, edges: VerticalEdge.Set = .all) -> some View {
        self
    }

    public func listRowSeparatorTint(_ color: Color?, edges: VerticalEdge.Set = .all) -> some View { self }
    public func listRowSpacing(_ spacing: CGFloat?) -> some View { self }
    public func listSectionSpacing(_ spacing: CGFloat) -> some View { self }
    public func listSectionSeparator(_ visibility: Visibility, edges: VerticalEdge.Set = .all) -> some View {
        self
    }

    public func badge(_ count: Int) -> some View { badge(count == 0 ? nil : Text("\(count)")) }

    public func badge(_ label: Text?) -> some View {
        lowered { page, content in
            let element = try label.flatMap { label in
                try page.collectOne { try page.lower(label.foregroundColor(.secondary)) }
            }
            try page.each(content) { $0.traits.badge = element }
        }
    }

    public func badge(_ key: LocalizedStringKey) -> some View { badge(Text(key)) }

    @_disfavoredOverload
    public func badge<S: StringProtocol>(_ label: S) -> some View { badge(Text(label)) }
}

public enum Visibility: Hashable, CaseIterable, Sendable {
    case automatic, visible, hidden
}

public enum ControlSize: CaseIterable, Sendable {
    case mini, small, regular, large, extraLarge
}

public struct ButtonBorderShape: Equatable, Sendable {
    private let name: String

    public static let automatic = ButtonBorderShape(name: "automatic")
    public static let capsule = ButtonBorderShape(name: "capsule")
    public static let roundedRectangle = ButtonBorderShape(name: "roundedRectangle")
    public static let circle = ButtonBorderShape(name: "circle")
}

public struct SymbolVariants: Hashable, Sendable {
    private let name: String

    public static let none = SymbolVariants(name: "none")
    public static let fill = SymbolVariants(name: "fill")
    public static let circle = SymbolVariants(name: "circle")
    public static let square = SymbolVariants(name: "square")
    public static let slash = SymbolVariants(name: "slash")
}

extension VerticalEdge {
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8

        public init(rawValue: Int8) { self.rawValue = rawValue }

        public static let top = Set(rawValue: 1)
        public static let bottom = Set(rawValue: 2)
        public static let all: Set = [.top, .bottom]
    }
}

public struct _StylePart<Owner>: View, PrimitiveView {
    public typealias Body = Never

    private let name: String
    private let content: @MainActor (PageWriter) throws -> Void

    init<V: View>(_ name: String, _ view: V) {
        self.name = name
        content = { try $0.lower(view) }
    }

    package func write(_ page: PageWriter) throws {
        try page.within(.part(name)) { try content(page) }
    }
}

extension PageWriter {
    func lower<S: ButtonStyle>(style: S, _ configuration: ButtonStyleConfiguration) throws {
        try styled(style) { try lower(style.makeBody(configuration: configuration)) }
    }

    func lower<S: LabelStyle>(style: S, _ configuration: LabelStyleConfiguration) throws {
        try styled(style) { try lower(style.makeBody(configuration: configuration)) }
    }

    func lower<S: ToggleStyle>(style: S, _ configuration: ToggleStyleConfiguration) throws {
        try styled(style) { try lower(style.makeBody(configuration: configuration)) }
    }

    func lower<S: ProgressViewStyle>(style: S, _ configuration: ProgressViewStyleConfiguration) throws {
        try styled(style) { try lower(style.makeBody(configuration: configuration)) }
    }

    func lower<S: GaugeStyle>(style: S, _ configuration: GaugeStyleConfiguration) throws {
        try styled(style) { try lower(style.makeBody(configuration: configuration)) }
    }

    /// Binds the properties of a style before it is evaluated, because a style may have state.
    private func styled<S>(_ style: S, _ work: () throws -> Void) throws {
        try within(.type(ObjectIdentifier(S.self))) {
            try session.properties.bind(style, to: self)
            try work()
        }
    }
}
