import STCScreen
import STDesktop

/// One monitor as the compositor tells of it.
final class Output {
    let handle: OpaquePointer
    let global: UInt32
    let version: UInt32
    var details: OpaquePointer?
    var name: String?
    /// In pixels, as the cable carries it.
    var mode: (width: Int, height: Int) = (0, 0)
    var isTurned = false
    var wholeScale = 1
    var position: (x: Int, y: Int) = (0, 0)
    var size: (width: Int, height: Int)?
    unowned let book: OutputBook

    init(_ handle: OpaquePointer, global: UInt32, version: UInt32, _ book: OutputBook) {
        self.handle = handle
        self.global = global
        self.version = version
        self.book = book
    }

    /// Pixels across, as people see it.
    private var pixels: (width: Int, height: Int) { isTurned ? (mode.height, mode.width) : mode }

    /// Exact also where it is 1.5, which wl_output alone cannot say.
    var scale: Double {
        guard let size, size.width > 0, pixels.width > 0 else { return Double(max(1, wholeScale)) }
        // Logical sizes are rounded down, so a quotient such as 1.50058 stands for 1.5: 120ths, as the protocol counts.
        return ((Double(pixels.width) / Double(size.width)) * 120).rounded() / 120
    }

    var frame: ScreenRect {
        let whole = max(1, wholeScale)
        let size = size ?? (pixels.width / whole, pixels.height / whole)
        return ScreenRect(x: position.x, y: position.y, width: size.width, height: size.height)
    }

    var desktopOutput: DesktopOutput {
        DesktopOutput(name: name ?? "output-\(global)", frame: frame, scale: scale)
    }
}
