/// What a shield offers beyond its own buttons: quiet, and below them.
package struct DrawMore: WireBody, Codable, Equatable {
    /// Of a control that can be pressed, such as "Ask for more time"; its spot is `DrawnSpot.moreTime`.
    package var label: String?
    /// One line below, such as "Asked. You will hear of the answer."
    package var note: String?
    /// Whether the keyboard would press the control.
    package var isFocused: Bool?

    package init(label: String? = nil, note: String? = nil, isFocused: Bool? = nil) {
        self.label = label
        self.note = note
        self.isFocused = isFocused
    }
}
