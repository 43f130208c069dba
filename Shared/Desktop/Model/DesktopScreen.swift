package import STContracts
package import STPlatform

/// One desktop that Screen Time observes and shows its panes on: X11, a Wayland compositor, GNOME Shell, or a test double.
///
/// Each implementation has its own thread and sleeps until the display reports something. It polls only values that the display
/// never reports.
package protocol DesktopScreen: Sendable {
    var kind: AdapterKind { get }

    /// Connects and returns. Calls `heard` in the order of the events, on the adapter's own thread, until `close` has returned.
    ///
    /// Throws a `Problem` if there is no display to connect to.
    func start(idleAfterMs: Int64, _ heard: @escaping @Sendable (DesktopEvent) -> Void) throws

    /// Queues the acts and returns immediately. The adapter performs them in order.
    func perform(_ acts: [DesktopAction])

    /// Returns the boot time of the last key press or pointer motion, or `nil` if the display does not report it.
    func lastInputBootMs() async -> Int64?

    /// Returns once the display has answered a request. While another program grabs the display, that may never happen.
    func waitUntilResponsive() async

    /// Removes all panes from the screen. Must not be called from the adapter's own thread.
    func close()
}

extension DesktopScreen {
    /// Returns immediately, for displays that no program can grab.
    package func waitUntilResponsive() async {}
}

/// The capabilities of this desktop. `doctor` reports the missing ones.
package struct ScreenAbilities: Sendable, Equatable {
    /// The adapter reports the process of each window.
    package var reportsProcesses = false
    /// The adapter reports the position of windows. Without it, a shield covers the whole monitor.
    package var reportsFrames = false
    /// True if a window that was made smaller shows nothing beyond its frame, even before its app has redrawn it.
    package var clipsToFrames = true
    /// True if the desktop queues events for a program that reads nothing, and ends that program if the queue grows too long.
    package var waitsForClients = false
    package var reportsIdle = false
    package var covers = false
    /// True if a cover can capture pointer and keyboard from the window beneath it. Without it, no app may be paused.
    package var holdsInput = false
    package var minimizes = false
    package var activates = false
    package var closesWindows = false
    /// True if the desktop's panel has a place for the item of Screen Time, as the tray of other desktops has.
    package var hasPanel = false

    package init() {}
}

/// An event that an adapter reports.
package enum DesktopEvent: Sendable, Equatable {
    /// Delay without input after which the screen is quiet. Later events are then known to have happened without input.
    package static let quietMs: Int64 = 15_000

    /// A new window, or all of a window that has changed.
    case window(DesktopWindow)
    case windowGone(WindowID)
    /// The foreground window from this moment of boot time. `nil` is the bare desktop. Follows the `window` event of that window.
    case focus(WindowID?, atBootMs: Int64)
    /// No key or pointer input since that moment, reported after at most `quietMs`.
    case quiet(sinceBootMs: Int64)
    /// No input since that moment, reported after the `idleAfterMs` of `start`. A film that the display reports counts as input.
    case idle(sinceBootMs: Int64)
    /// A key or pointer was used again.
    case touched(atBootMs: Int64)
    case outputs([DesktopOutput])
    /// The initial state has been reported completely.
    case ready(ScreenAbilities)
    case pane(PaneID, PaneEvent)
    /// The choice with this ID was selected in the menu of the panel item.
    case chosen(Int32)
    /// The connection to the display has ended. All its windows are void, and no event follows.
    case lost(Problem)
}

/// A command to a screen. A command for an object that no longer exists has no effect.
package enum DesktopAction: Sendable, Equatable {
    case openPane(PaneRequest)
    /// Sets the picture of a pane: the reply to each `PaneEvent.shown`, sent again when the picture changes.
    case paint(PaneID, PanePicture)
    case closePane(PaneID)
    /// Requests pointer and keyboard for a pane. The reply is `PaneEvent.held`.
    ///
    /// After `held` with true, no input reaches the window beneath until the pane closes or `held` reports false.
    case holdInput(PaneID)
    case minimize([WindowID])
    /// Brings the window to the foreground. `nil` is the window that the desktop would show next.
    case activate(WindowID?)
    /// Has the effect of a press on the window's close button.
    case askToClose(WindowID)
    /// Shows this item on the panel. `nil` removes it.
    case showItem(PanelItem?)
}

/// The item of Screen Time on a panel, and its menu.
package struct PanelItem: Sendable, Equatable {
    package struct Choice: Sendable, Equatable {
        package var id: Int32
        package var text: String

        package init(id: Int32, text: String) {
            self.id = id
            self.text = text
        }
    }

    package var name: String
    /// The text beside the icon.
    package var label: String
    /// Lines of text above the choices.
    package var lines: [String]
    package var choices: [Choice]

    package init(name: String, label: String, lines: [String], choices: [Choice]) {
        self.name = name
        self.label = label
        self.lines = lines
        self.choices = choices
    }
}

/// One monitor.
package struct DesktopOutput: Sendable, Equatable, Codable {
    package var name: String
    package var frame: ScreenRect
    /// Pixels per unit of length: 2 on a dense screen.
    package var scale: Double

    package init(name: String, frame: ScreenRect, scale: Double) {
        self.name = name
        self.frame = frame
        self.scale = scale
    }
}

/// A rectangle of the desktop, in the desktop's units: pixels on X11, logical units on Wayland.
package struct ScreenRect: Sendable, Hashable, Codable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package var isEmpty: Bool { width <= 0 || height <= 0 }
    package var area: Int { isEmpty ? 0 : width * height }

    /// Returns the area of the intersection with `other`.
    package func overlapArea(with other: ScreenRect) -> Int {
        let wide = min(x + width, other.x + other.width) - max(x, other.x)
        let high = min(y + height, other.y + other.height) - max(y, other.y)
        return wide > 0 && high > 0 ? wide * high : 0
    }

    package func contains(x: Int, y: Int) -> Bool {
        self.x <= x && x - self.x < width && self.y <= y && y - self.y < height
    }
}
