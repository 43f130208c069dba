package import Foundation

/// What modifiers say about the views within them.
package struct ViewLook {
    /// Around something, where nobody said how much.
    package static let padding = 16.0
    /// The room on a phone's screen.
    package static let screen = CGSize(width: 390, height: 844)

    package var colorScheme: ColorScheme?
    package var locale = Locale.current
    package var calendar: Calendar?
    package var timeZone = TimeZone.current
    package var layoutDirection = LayoutDirection.leftToRight
    package var font: Font?
    package var fontChanges: [FontChange] = []
    package var foreground: AnyShapeStyle?
    package var tint: AnyShapeStyle?
    package var lineLimit: Int?
    package var textAlign: TextAlignment = .leading
    package var textCase: Text.Case?
    package var heading: Int?
    package var underline = false
    package var strike = false
    package var isEnabled = true
    /// How a picture that takes the room it gets fits into it.
    package var imageScaling: String?
    package var redaction: RedactionReasons = []
    package var buttonStyle: (any ButtonStyle)?
    package var labelStyle: (any LabelStyle)?
    package var toggleStyle: (any ToggleStyle)?
    package var progressStyle: (any ProgressViewStyle)?
    package var gaugeStyle: (any GaugeStyle)?
    package var hidesLabels = false
    /// What a view that wants to know is given.
    package var room = ViewLook.screen
    /// Ask which way a `Spacer` or a `Divider` goes.
    package var isRow = false
    /// Whether a `Section` stands in a list.
    package var isList = false
}
