import STContracts

/// A picker. It becomes a control of the page, and the page is made once for each option.
public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: View, PrimitiveView {
    public typealias Body = Never

    private let selection: Binding<SelectionValue>
    private let label: Label
    private let content: Content

    public init(
        selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content,
        @ViewBuilder label: () -> Label
    ) {
        self.selection = selection
        self.label = label()
        self.content = content()
    }

    public init(
        selection: Binding<SelectionValue>,
        label: Label,
        @ViewBuilder content: () -> Content
    ) { self.init(selection: selection, content: content, label: { label }) }

    package func write(_ page: PageWriter) throws {
        let words = try page.within(.part("label")) { try page.collect { try page.lower(label) } }
            .map(\.words).joined(separator: " ")
        let options = try page.within(.part("options")) { try page.collect { try page.lower(content) } }
            .compactMap { ChoiceOption<SelectionValue>($0) }
        try page.choice(selection, label: words, options: options, weight: 3)
    }
}

extension Picker where Label == Text {
    public init(
        _ titleKey: LocalizedStringKey,
        selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) { self.init(selection: selection, content: content) { Text(titleKey) } }

    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S,
        selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) { self.init(selection: selection, content: content) { Text(title) } }
}

/// One option of a control.
@MainActor
struct ChoiceOption<Value: Hashable> {
    let value: Value
    let words: String

    /// Creates an option. Returns `nil` for a view without a tag of this type.
    init?(_ element: PageElement, words: String? = nil) {
        guard let tag = element.traits.tag ?? element.traits.implicitTag,
            // A tag that is an optional also matches the type of its wrapped value.
            let value = tag.base as? Value ?? tag as? Value
        else { return nil }
        self.value = value
        self.words = words ?? element.words
    }
}

extension PageWriter {
    /// Adds a control. Its content is the chosen option, which is shown if the control cannot be changed.
    func choice<Value: Hashable>(
        _ binding: Binding<Value>,
        label: String,
        options: [ChoiceOption<Value>],
        weight: Int
    ) throws {
        let id = control(of: binding, Self.request(binding, label: label, options: options, weight: weight))
        let now = options.first { $0.value == binding.wrappedValue }?.words ?? ""
        try add(PageNode(kind: .control, control: id)) {
            let words = look(hides: label) + [now]
            try add(
                PageNode(
                    kind: .text,
                    runs: [PageRun(text: words.filter { !$0.isEmpty }.joined(separator: ": "))]
                )
            )
        }
    }

    private func look(hides label: String) -> [String] { environment.look.hidesLabels ? [] : [label] }

    static func request<Value: Hashable>(
        _ binding: Binding<Value>,
        label: String,
        options: [ChoiceOption<Value>],
        weight: Int
    ) -> ControlRequest {
        let values = options.map(\.value)
        // The initial value may match no option. It then becomes an additional option.
        let first = values.firstIndex(of: binding.wrappedValue)
        let other = first == nil ? binding.wrappedValue : nil
        let shift = other == nil ? 0 : 1
        return ControlRequest(
            kind: .choice,
            label: label,
            options: (other == nil ? [] : ["–"]) + options.map(\.words),
            weight: weight,
            chosen: { values.firstIndex(of: binding.wrappedValue).map { $0 + shift } ?? 0 },
            set: { option in
                if let other, option == 0 {
                    binding.wrappedValue = other
                } else if values.indices.contains(option - shift) {
                    binding.wrappedValue = values[option - shift]
                }
            }
        )
    }
}

/// The style of a picker. It has no effect, because all pickers of a page look the same.
public protocol PickerStyle: Sendable {}

public struct DefaultPickerStyle: PickerStyle { public init() {} }
extension PickerStyle where Self == DefaultPickerStyle { public static var automatic: Self { Self() } }

public struct SegmentedPickerStyle: PickerStyle { public init() {} }
extension PickerStyle where Self == SegmentedPickerStyle { public static var segmented: Self { Self() } }

public struct MenuPickerStyle: PickerStyle { public init() {} }
extension PickerStyle where Self == MenuPickerStyle { public static var menu: Self { Self() } }

public struct InlinePickerStyle: PickerStyle { public init() {} }
extension PickerStyle where Self == InlinePickerStyle { public static var inline: Self { Self() } }

public struct WheelPickerStyle: PickerStyle { public init() {} }
extension PickerStyle where Self == WheelPickerStyle { public static var wheel: Self { Self() } }

public struct NavigationLinkPickerStyle: PickerStyle { public init() {} }

extension PickerStyle where Self == NavigationLinkPickerStyle {
    public static var navigationLink: Self { Self() }
}
