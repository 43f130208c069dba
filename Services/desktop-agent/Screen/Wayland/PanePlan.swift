import STDesktop

/// Where a pane has to be at this moment.
enum PanePlan {
    /// Nobody can see what it lies over.
    case hidden
    case shown([SheetPlan])
}

/// One monitor's share of a pane.
struct SheetPlan: Equatable {
    enum Place: Equatable {
        /// Over all of a monitor; only the parts are seen and felt.
        case monitor(UInt32)
        case corner(width: Int, height: Int)
        case middle(width: Int, height: Int)
    }

    var place: Place
    /// Of the whole pane, from the sheet's own corner; empty stands for all of the sheet.
    var frame: ScreenRect
    /// What of it can be seen, from the sheet's own corner; empty with an empty frame.
    var parts: [ScreenRect]
    var takesPointer: Bool
    var takesKeys: Bool
    /// Pixels of one unit there.
    var scale: Double
}
