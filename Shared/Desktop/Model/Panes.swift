package import STPlatform

/// One window of our own on the screen.
package struct PaneID: Sendable, Hashable, CustomStringConvertible {
    package let rawValue: String

    package init(_ rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }
}

/// A window of our own to be put on the screen.
package struct PaneOrder: Sendable, Equatable {
    package enum Place: Sendable, Equatable {
        /// Exactly over the content of a window and just above it, wherever that window goes; over all of its monitors
        /// where the desktop does not report frames.
        case over(WindowID)
        /// Small, in the corner where nothing is read, above all; takes no input.
        case corner(width: Int, height: Int)
        /// In the middle, above all, with the keyboard.
        case middle(width: Int, height: Int)
    }

    package var id: PaneID
    package var place: Place
    /// What is there until it is painted: `0xAARRGGBB`.
    package var background: UInt32
    /// What assistive technology and window lists call it.
    package var name: String
    /// Whether keys go to it while it, or what it lies over, is in front.
    package var takesKeys: Bool

    package init(id: PaneID, place: Place, background: UInt32, name: String, takesKeys: Bool) {
        self.id = id
        self.place = place
        self.background = background
        self.name = name
        self.takesKeys = takesKeys
    }
}

/// What a pane looks like, and what of it can be pressed.
package struct PanePicture: Sendable, Equatable {
    /// Pixels as `screentime-draw` writes them for `argb32`: rows without gaps, premultiplied, in this machine's order.
    ///
    /// The file is the agent's own, never cut or written again once painted; it may be mapped.
    package var path: String
    /// In pixels.
    package var width: Int
    package var height: Int
    /// Pixels of one unit of the desktop's length.
    package var scale: Double
    /// Later ones lie on top.
    package var spots: [PaneSpot]

    package init(path: String, width: Int, height: Int, scale: Double, spots: [PaneSpot]) {
        self.path = path
        self.width = width
        self.height = height
        self.scale = scale
        self.spots = spots
    }
}

/// A part of a pane that can be pressed, in pixels of its picture.
package struct PaneSpot: Sendable, Equatable {
    package var id: String
    package var frame: ScreenRect

    package init(id: String, frame: ScreenRect) {
        self.id = id
        self.frame = frame
    }
}

/// What happens to a pane.
///
/// Pointer motions stay in the adapter: it reports the spot beneath the pointer, and only when that changes.
package enum PaneEvent: Sendable, Equatable {
    /// It is on the screen since then, in this many pixels, and wants a picture; sent again when size or scale change.
    case shown(width: Int, height: Int, scale: Double, atBootMs: Int64)
    /// It cannot be seen: its window is minimised or on another workspace.
    case hidden
    case hovered(String?)
    /// The pointer was pressed and let go over the same spot.
    case pressed(String)
    case key(PaneKey)
    /// The answer to `holdInput`, and sent again when that changes by itself; with a sentence why not.
    case held(Bool, Message?)
    /// It could not be put up, or another program took it away.
    case failed(Message)
}

/// The meaning of a key that was pressed over a pane.
package enum PaneKey: Sendable, Equatable {
    case next
    case previous
    case press
    case cancel
    case backspace
    /// What was typed: one or more characters, no controls.
    case text(String)
}

/// One of our windows as assistive technology presents it.
package struct AccessiblePane: Sendable, Equatable {
    package var id: PaneID
    /// What it says first, such as the title of a shield.
    package var title: String
    package var subtitle: String
    package var frame: ScreenRect
    /// Its buttons, in the order in which Tab goes through them.
    package var spots: [AccessibleSpot]

    package init(id: PaneID, title: String, subtitle: String, frame: ScreenRect, spots: [AccessibleSpot]) {
        self.id = id
        self.title = title
        self.subtitle = subtitle
        self.frame = frame
        self.spots = spots
    }
}

/// A button of a pane; the frame is a part of the whole desktop.
package struct AccessibleSpot: Sendable, Equatable {
    package var id: String
    package var name: String
    package var frame: ScreenRect

    package init(id: String, name: String, frame: ScreenRect) {
        self.id = id
        self.name = name
        self.frame = frame
    }
}

/// The pane and the button that have the keyboard.
package struct AccessibleFocus: Sendable, Equatable {
    package var pane: PaneID
    package var spot: String

    package init(pane: PaneID, spot: String) {
        self.pane = pane
        self.spot = spot
    }
}
