public import Foundation

/// A text field. It shows its text, or its label if the text is empty.
public struct TextField<Label: View>: View {
    private let text: String
    private let label: Label

    public var body: some View {
        if text.isEmpty { label.foregroundColor(.secondary) } else { Text(verbatim: text) }
    }
}

extension TextField where Label == Text {
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {
        self.text = text.wrappedValue
        label = Text(titleKey)
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) {
        self.text = text.wrappedValue
        label = Text(title)
    }
}

/// A field for a secret. It shows a dot for each character, or its label if the text is empty.
public struct SecureField<Label: View>: View {
    private let count: Int
    private let label: Label

    public var body: some View {
        if count == 0 {
            label.foregroundColor(.secondary)
        } else {
            Text(verbatim: String(repeating: "•", count: count))
        }
    }
}

extension SecureField where Label == Text {
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {
        count = text.wrappedValue.count
        label = Text(titleKey)
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) {
        count = text.wrappedValue.count
        label = Text(title)
    }
}

/// A text editor. It shows its text in the full width.
public struct TextEditor: View {
    private let text: String

    public init(text: Binding<String>) { self.text = text.wrappedValue }

    public var body: some View { Text(verbatim: text).frame(maxWidth: .infinity, alignment: .leading) }
}

/// A slider. It shows the position of its value as a bar.
public struct Slider<Label: View, ValueLabel: View>: View {
    private let fraction: Double
    private let label: Label

    private init<V: BinaryFloatingPoint>(_ value: V, _ bounds: ClosedRange<V>, _ label: Label) {
        let length = Double(bounds.upperBound - bounds.lowerBound)
        let part = length > 0 ? Double(value - bounds.lowerBound) / length : 0
        fraction = part.isNaN ? 0 : min(1, max(0, part))
        self.label = label
    }

    public var body: some View { ProgressBar(value: fraction, label: nil) }
}

extension Slider where ValueLabel == EmptyView {
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>,
        in bounds: ClosedRange<V> = 0...1,
        @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint { self.init(value.wrappedValue, bounds, label()) }

    public init<V: BinaryFloatingPoint>(
        value: Binding<V>,
        in bounds: ClosedRange<V>,
        step: V.Stride = 1,
        @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint { self.init(value.wrappedValue, bounds, label()) }
}

extension Slider where Label == EmptyView, ValueLabel == EmptyView {
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>,
        in bounds: ClosedRange<V> = 0...1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint { self.init(value.wrappedValue, bounds, EmptyView()) }

    public init<V: BinaryFloatingPoint>(
        value: Binding<V>,
        in bounds: ClosedRange<V>,
        step: V.Stride,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint { self.init(value.wrappedValue, bounds, EmptyView()) }
}

/// A stepper. It only shows its label.
public struct Stepper<Label: View>: View {
    private let label: Label

    public init<V: Strideable>(
        value: Binding<V>,
        in bounds: ClosedRange<V>,
        step: V.Stride = 1,
        @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { self.label = label() }

    public var body: some View { label }
}

extension Stepper where Label == Text {
    public init<V: Strideable>(
        _ titleKey: LocalizedStringKey,
        value: Binding<V>,
        in bounds: ClosedRange<V>,
        step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { label = Text(titleKey) }

    @_disfavoredOverload
    public init<S: StringProtocol, V: Strideable>(
        _ title: S,
        value: Binding<V>,
        in bounds: ClosedRange<V>,
        step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { label = Text(title) }
}

/// A date picker. It shows its label and its date.
public struct DatePicker<Label: View>: View {
    private let date: Date
    private let components: DatePickerComponents
    private let label: Label

    public var body: some View {
        HStack {
            label
            Spacer()
            if components.contains(.date) { Text(date, style: .date) }
            if components.contains(.hourAndMinute) { Text(date, style: .time) }
        }
    }
}

extension DatePicker where Label == Text {
    public init(
        _ titleKey: LocalizedStringKey,
        selection: Binding<Date>,
        displayedComponents: DatePickerComponents = [.hourAndMinute, .date]
    ) {
        date = selection.wrappedValue
        components = displayedComponents
        label = Text(titleKey)
    }

    public init(
        _ titleKey: LocalizedStringKey,
        selection: Binding<Date>,
        in range: ClosedRange<Date>,
        displayedComponents: DatePickerComponents = [.hourAndMinute, .date]
    ) { self.init(titleKey, selection: selection, displayedComponents: displayedComponents) }

    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S,
        selection: Binding<Date>,
        displayedComponents: DatePickerComponents = [.hourAndMinute, .date]
    ) {
        date = selection.wrappedValue
        components = displayedComponents
        label = Text(title)
    }
}

public struct DatePickerComponents: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let hourAndMinute = DatePickerComponents(rawValue: 1)
    public static let date = DatePickerComponents(rawValue: 2)
}

/// The style of a text field. It has no effect, because the drawing program selects the appearance.
public protocol TextFieldStyle: Sendable {}

public struct DefaultTextFieldStyle: TextFieldStyle { public init() {} }
extension TextFieldStyle where Self == DefaultTextFieldStyle { public static var automatic: Self { Self() } }

public struct PlainTextFieldStyle: TextFieldStyle { public init() {} }
extension TextFieldStyle where Self == PlainTextFieldStyle { public static var plain: Self { Self() } }

public struct RoundedBorderTextFieldStyle: TextFieldStyle { public init() {} }

extension TextFieldStyle where Self == RoundedBorderTextFieldStyle {
    public static var roundedBorder: Self { Self() }
}
