import STDesktop

/// One cover over one window.
struct ShieldPane: Sendable {
    let id: PaneID
    let window: WindowID
    let app: String
    /// Nil until it is on the screen for the first time.
    var size: PaneSize?
    var isMapped = false
    var isHoldAsked = false
    var isHeld = false
    /// When it is asked for once more after a refusal.
    var holdAgainMs: Int64?
    /// Nothing is to be covered by it any more: it goes as soon as its app runs.
    var isClosing = false
    /// What is painted on it.
    var painted: PictureKey?
    var paintedBytes = 0

    /// Whether what it lies over may stand still: nobody sees it, and nothing reaches it.
    var isSafe: Bool { isMapped && isHeld }

    /// Whether it is to be asked, or asked once more, for the input.
    func asksHold(_ nowMs: Int64) -> Bool {
        !isHoldAsked || !isHeld && holdAgainMs.map { $0 <= nowMs } ?? false
    }

    mutating func forgetHold() {
        isHoldAsked = false
        isHeld = false
        holdAgainMs = nil
    }
}
