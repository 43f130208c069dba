package import STContracts
package import STPlatform

/// One desktop to look at and to put our windows on: X11, a wlroots compositor, GNOME Shell, or a stand-in for tests.
///
/// Implementations live on a thread of their own, sleep until the display reports something, and poll only what it never
/// reports.
package protocol DesktopScreen: Sendable {
    var kind: AdapterKind { get }

    /// Connects and returns; `heard` is called in order, on the adapter's own thread, until `close` has returned.
    ///
    /// Throws a `Problem` when there is nothing to connect to.
    func start(idleAfterMs: Int64, _ heard: @escaping @Sendable (DesktopEvent) -> Void) throws

    /// In order; returns at once.
    func perform(_ acts: [DesktopAct])

    /// When a key or a pointer was last touched, in boot time; nil where the display does not say.
    func lastInputBootMs() async -> Int64?

    /// Returns once the display has answered, which may be never while another program has grabbed it.
    func answers() async

    /// Takes all our windows off the screen; never from the adapter's own thread.
    func close()
}

extension DesktopScreen {
    /// For displays that no program can grab.
    package func answers() async {}
}

/// What can be seen and done on this desktop; `doctor` says what is missing.
package struct ScreenAbilities: Sendable, Equatable {
    /// The adapter knows which process a window belongs to.
    package var seesProcesses = false
    /// Where windows are; without that a shield covers the whole monitor.
    package var seesFrames = false
    /// Whether a window that was made smaller shows nothing beyond its frame, also before its app has drawn it anew.
    package var cutsToFrames = true
    /// Whether the desktop keeps what it tells a program until that reads it, and ends one that reads nothing for long.
    package var waitsForClients = false
    package var seesIdle = false
    package var covers = false
    /// Whether a cover can take pointer and keyboard from what lies beneath; without that nothing may be paused.
    package var holdsInput = false
    package var minimizes = false
    package var activates = false
    package var asksToClose = false
    /// Whether it has a place on its panel for our item, as other desktops have a tray.
    package var hasPanel = false

    package init() {}
}

/// What an adapter reports of a screen.
package enum DesktopEvent: Sendable, Equatable {
    /// After how long without a touch a screen is quiet: what happens later is known to have happened without one.
    package static let quietMs: Int64 = 15_000

    /// A new window, or all of a window that has changed.
    case window(DesktopWindow)
    case windowGone(WindowID)
    /// In front from this moment of boot time; nil is the bare desktop. Comes after `window` for that window.
    case focus(WindowID?, atBootMs: Int64)
    /// No key and no pointer was touched since that moment, which is a moment ago.
    case quiet(sinceBootMs: Int64)
    /// The same; sent when it is as long ago as was asked for at the start. A film that the display knows of counts as a touch.
    case idle(sinceBootMs: Int64)
    /// A key or a pointer was touched again.
    case touched(atBootMs: Int64)
    case outputs([DesktopOutput])
    /// Everything that was there at the start has been reported.
    case ready(ScreenAbilities)
    case pane(PaneID, PaneEvent)
    /// Of the menu of our item on the panel.
    case chosen(Int32)
    /// The display is gone, and all that was known of it; nothing follows.
    case lost(Problem)
}

/// What the agent wants of a screen; acts on what is no longer there do nothing.
package enum DesktopAct: Sendable, Equatable {
    case openPane(PaneOrder)
    /// Answers every `PaneEvent.shown`, and whenever it looks different.
    case paint(PaneID, PanePicture)
    case closePane(PaneID)
    /// Asks for pointer and keyboard over a pane of ours; answered by `PaneEvent.held`.
    ///
    /// True is a promise: no input reaches what lies beneath until the pane closes, or `held` says false.
    case holdInput(PaneID)
    case minimize([WindowID])
    /// Brings it in front; nil: the window that the desktop would show next.
    case activate(WindowID?)
    /// As though its close button had been pressed.
    case askToClose(WindowID)
    /// Our item on the panel from now on; nil takes it away.
    case showItem(PanelItem?)
}

/// Our item on a panel, and the menu that it opens.
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
    /// Beside the picture.
    package var label: String
    /// Above what can be chosen.
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
    /// Pixels of one unit of length: 2 on a dense screen.
    package var scale: Double

    package init(name: String, frame: ScreenRect, scale: Double) {
        self.name = name
        self.frame = frame
        self.scale = scale
    }
}

/// A part of the whole desktop, in the desktop's own units: pixels on X11, logical ones on Wayland.
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

    /// The area of the intersection with `other`.
    package func shared(with other: ScreenRect) -> Int {
        let wide = min(x + width, other.x + other.width) - max(x, other.x)
        let high = min(y + height, other.y + other.height) - max(y, other.y)
        return wide > 0 && high > 0 ? wide * high : 0
    }

    package func contains(x: Int, y: Int) -> Bool {
        self.x <= x && x - self.x < width && self.y <= y && y - self.y < height
    }
}
