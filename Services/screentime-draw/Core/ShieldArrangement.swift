/// Where everything of a shield goes.
struct ShieldArrangement {
    /// A text and the upper left corner of the box that it was laid out for.
    struct PlacedText {
        var block: TextBlock
        var box: Box
    }

    struct PlacedButton {
        var box: Box
        var label: PlacedText
    }

    /// Pixels of a unit of length, as this window has them.
    var unit: Double
    var icon: Box?
    var title: PlacedText?
    var subtitle: PlacedText?
    var primary: PlacedButton?
    var secondary: PlacedButton?
    var more: PlacedButton?
    var note: PlacedText?
}

extension ShieldArrangement.PlacedButton {
    mutating func move(_ dx: Double, _ dy: Double) {
        box = box.moved(dx, dy)
        label.box = label.box.moved(dx, dy)
    }
}
