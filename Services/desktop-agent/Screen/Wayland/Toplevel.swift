import STCScreen
import STDesktop

/// One window as the compositor's list has it.
final class Toplevel {
    /// Nil for one that sway's tree tells of.
    let handle: OpaquePointer?
    /// Counts up: windows that opened earlier have lower ones.
    let serial: Int
    var title: String?
    var appID: String?
    var outputs: [OpaquePointer] = []
    var isActivated = false
    var isMinimized = false
    var isFullscreen = false
    /// What was said of it since the last `done`; states hold together with titles only then.
    var isComplete = false
    /// Its node in sway's tree.
    var container: Int64?
    /// As the agent knows it.
    var told: DesktopWindow?
    unowned let book: ToplevelBook

    init(_ handle: OpaquePointer?, serial: Int, _ book: ToplevelBook) {
        self.handle = handle
        self.serial = serial
        self.book = book
    }

    var id: WindowID { WindowID("wl:\(serial)") }
}
