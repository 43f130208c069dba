public import Foundation

/// A field for words; on a page it shows those that are there.
public struct TextField<Label: View>: View {
    private let text: String
    private let label: Label

    /// The words.
    public var body: some View {
        if text.isEmpty { label.foregroundColor(.secondary) } else { Text(verbatim: text) }
    }
}

extension TextField where Label == Text {
    /// For those words.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {
        self.text = text.wrappedValue
        label = Text(titleKey)
    }

    /// For those words.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) {
        self.text = text.wrappedValue
        label = Text(title)
    }
}

/// A value between two others; on a page it shows where it lies.
public struct Slider<Label: View, ValueLabel: View>: View {
    private let fraction: Double
    private let label: Label

    private init<V: BinaryFloatingPoint>(_ value: V, _ bounds: ClosedRange<V>, _ label: Label) {
        let length = Double(bounds.upperBound - bounds.lowerBound)
        let part = length > 0 ? Double(value - bounds.lowerBound) / length : 0
        fraction = part.isNaN ? 0 : min(1, max(0, part))
        self.label = label
    }

    /// A bar.
    public var body: some View { ProgressBar(value: fraction, label: nil) }
}

extension Slider where ValueLabel == EmptyView {
    /// For that value.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>,
        in bounds: ClosedRange<V> = 0...1,
        @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint { self.init(value.wrappedValue, bounds, label()) }

    /// For that value.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>,
        in bounds: ClosedRange<V>,
        step: V.Stride = 1,
        @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint { self.init(value.wrappedValue, bounds, label()) }
}

extension Slider where Label == EmptyView, ValueLabel == EmptyView {
    /// For that value.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>,
        in bounds: ClosedRange<V> = 0...1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint { self.init(value.wrappedValue, bounds, EmptyView()) }

    /// For that value.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>,
        in bounds: ClosedRange<V>,
        step: V.Stride,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint { self.init(value.wrappedValue, bounds, EmptyView()) }
}

/// A value that is made larger or smaller; on a page it is its words.
public struct Stepper<Label: View>: View {
    private let label: Label

    /// For that value.
    public init<V: Strideable>(
        value: Binding<V>,
        in bounds: ClosedRange<V>,
        step: V.Stride = 1,
        @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { self.label = label() }

    /// The words.
    public var body: some View { label }
}

extension Stepper where Label == Text {
    /// For that value.
    public init<V: Strideable>(
        _ titleKey: LocalizedStringKey,
        value: Binding<V>,
        in bounds: ClosedRange<V>,
        step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { label = Text(titleKey) }

    /// For that value.
    @_disfavoredOverload
    public init<S: StringProtocol, V: Strideable>(
        _ title: S,
        value: Binding<V>,
        in bounds: ClosedRange<V>,
        step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { label = Text(title) }
}

/// A day or a time; on a page it shows the one that is set.
public struct DatePicker<Label: View>: View {
    private let date: Date
    private let components: DatePickerComponents
    private let label: Label

    /// Words, and the day or the time.
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
    /// For that moment.
    public init(
        _ titleKey: LocalizedStringKey,
        selection: Binding<Date>,
        displayedComponents: DatePickerComponents = [.hourAndMinute, .date]
    ) {
        date = selection.wrappedValue
        components = displayedComponents
        label = Text(titleKey)
    }

    /// For that moment.
    public init(
        _ titleKey: LocalizedStringKey,
        selection: Binding<Date>,
        in range: ClosedRange<Date>,
        displayedComponents: DatePickerComponents = [.hourAndMinute, .date]
    ) { self.init(titleKey, selection: selection, displayedComponents: displayedComponents) }

    /// For that moment.
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

/// What of a moment is asked for.
public struct DatePickerComponents: OptionSet, Sendable {
    /// A bit for each.
    public let rawValue: UInt

    /// Those.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The time.
    public static let hourAndMinute = DatePickerComponents(rawValue: 1)
    /// The day.
    public static let date = DatePickerComponents(rawValue: 2)
}
