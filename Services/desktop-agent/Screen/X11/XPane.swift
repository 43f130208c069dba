import STDesktop

/// One window of our own.
struct XPane {
    enum Hold: Equatable {
        case notAsked
        /// Not granted yet; how many times it was tried.
        case wanted(tries: Int)
        case granted
    }

    let order: PaneOrder
    let window: UInt32
    /// The window that it lies over.
    let target: UInt32?
    /// Where it is; nil: never placed yet.
    var rect: ScreenRect?
    var scale = 1.0
    /// Asked to be on the screen, and told to be there by the server.
    var isWanted = false
    var isMapped = false
    /// The size and scale that `shown` told of.
    var toldSize: [Int] = []
    var toldScale = 0.0
    var spots: [PaneSpot] = []
    var hovered: String?
    var pressed: String?
    var isLooking = false
    var hold = Hold.notAsked
    var holdTimer: UInt64?
    /// It was tried once more after it was granted.
    var isHoldSure = false
    /// What was told last, so that nothing is told twice.
    var toldHold: Bool?
    /// A window that is moved tells as much as one that is raised, and both may go fast.
    var stacking = XPatience(atOnce: 200, perSecond: 100)
    var focusing = XPatience(atOnce: 40, perSecond: 20)
    var isStackingLater = false
    var hasFocus = false
    /// Keys that go to the window that it lies over come to us; false as well while nobody has asked for them.
    var hasKeyGrab = false
    /// Somebody else has some of that window's keys, so the pane itself has to take the keyboard.
    var isGrabRefused = false

    init(order: PaneOrder, window: UInt32) {
        self.order = order
        self.window = window
        if case .over(let id) = order.place { target = XWindow.number(id) } else { target = nil }
    }

    /// Whether it gets keys only by being what the keyboard belongs to.
    var needsFocus: Bool { target == nil || isGrabRefused }

    /// Whether it takes the keyboard while it, or what it lies over, is in front.
    var wantsKeys: Bool { order.takesKeys || hold != .notAsked }

    var takesInput: Bool {
        if case .corner = order.place { return false }
        return true
    }

    func spot(x: Int, y: Int) -> String? {
        spots.last { spot in
            let frame = spot.frame
            return x >= frame.x && y >= frame.y && x < frame.x + frame.width && y < frame.y + frame.height
        }?.id
    }
}
