package import STPlatform

/// The ID of a pane: a window of Screen Time on the screen.
package struct PaneID: Sendable, Hashable, CustomStringConvertible {
    package let rawValue: String

    package init(_ rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }
}

/// A request to show a pane.
package struct PaneRequest: Sendable, Equatable {
    package enum Place: Sendable, Equatable {
        /// Exactly over the content of a window and directly above it. The pane follows the window. Covers all monitors of the
        /// window if the desktop does not report frames.
        case over(WindowID)
        /// Small, in the corner of the screen that people rarely read, above all windows. Takes no input.
        case corner(width: Int, height: Int)
        /// In the middle of the screen, above all windows, with the keyboard.
        case middle(width: Int, height: Int)
    }

    package var id: PaneID
    package var place: Place
    /// The fill colour before the first picture: `0xAARRGGBB`.
    package var background: UInt32
    /// The name for assistive technology and window lists.
    package var name: String
    /// True if the pane receives keys while it, or the window beneath it, is in the foreground.
    package var takesKeys: Bool

    package init(id: PaneID, place: Place, background: UInt32, name: String, takesKeys: Bool) {
        self.id = id
        self.place = place
        self.background = background
        self.name = name
        self.takesKeys = takesKeys
    }
}

/// The picture of a pane, and the parts of it that can be pressed.
package struct PanePicture: Sendable, Equatable {
    /// A file with pixels as `screentime-draw` writes them for `argb32`: rows without gaps, premultiplied alpha, native byte order.
    ///
    /// The file belongs to the agent, which never truncates or changes it after painting. It may be mapped.
    package var path: String
    /// Width in pixels.
    package var width: Int
    package var height: Int
    /// Pixels per unit of the desktop's length.
    package var scale: Double
    /// The parts that can be pressed. Later spots are above earlier ones.
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

/// An event of a pane.
///
/// Pointer motions stay in the adapter. It reports the spot beneath the pointer, and only when that spot changes.
package enum PaneEvent: Sendable, Equatable {
    /// The pane has been on the screen since that moment, has this size in pixels, and needs a picture.
    /// Sent again if its size or scale changes.
    case shown(width: Int, height: Int, scale: Double, atBootMs: Int64)
    /// The pane is invisible: its window is minimised or on another workspace.
    case hidden
    case hovered(String?)
    /// The pointer was pressed and released over the same spot.
    case pressed(String)
    case key(PaneKey)
    /// The reply to `holdInput`, also sent if the state changes later. The message states why the input is not held.
    case held(Bool, Message?)
    /// The pane could not be shown, or another program removed it.
    case failed(Message)
}

/// The meaning of a key press on a pane.
package enum PaneKey: Sendable, Equatable {
    case next
    case previous
    case press
    case cancel
    case backspace
    /// Typed text: one or more characters, no control characters.
    case text(String)
}

/// A pane as assistive technology presents it.
package struct AccessiblePane: Sendable, Equatable {
    package var id: PaneID
    /// The text that is announced first, such as the title of a shield.
    package var title: String
    package var subtitle: String
    package var frame: ScreenRect
    /// The buttons, in the order of the Tab key.
    package var spots: [AccessibleSpot]

    package init(id: PaneID, title: String, subtitle: String, frame: ScreenRect, spots: [AccessibleSpot]) {
        self.id = id
        self.title = title
        self.subtitle = subtitle
        self.frame = frame
        self.spots = spots
    }
}

/// A button of a pane. Its frame is in the coordinates of the whole desktop.
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

/// The pane and the button that have the keyboard focus.
package struct AccessibleFocus: Sendable, Equatable {
    package var pane: PaneID
    package var spot: String

    package init(pane: PaneID, spot: String) {
        self.pane = pane
        self.spot = spot
    }
}
