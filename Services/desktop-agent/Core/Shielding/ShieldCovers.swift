import STDesktop
import STPlatform

/// A cover over one window.
struct ShieldPane: Sendable {
    let id: PaneID
    let window: WindowID
    let app: String
    /// The size of the cover. `nil` until it appears on the screen for the first time.
    fileprivate(set) var size: PaneSize?
    fileprivate(set) var isMapped = false
    fileprivate(set) var isInputHoldRequested = false
    fileprivate(set) var isInputHeld = false
    /// The boot time at which the request to capture the input is repeated after a refusal.
    fileprivate(set) var inputHoldRetry: BootTime?
    /// True if nothing under the cover is shielded. The cover is removed as soon as its app runs.
    fileprivate(set) var isClosing = false
    fileprivate(set) var painted: PictureKey?
    fileprivate(set) var paintedBytes = 0

    /// True if the cover is visible and remains.
    var isVisible: Bool { isMapped && !isClosing }

    /// True if the app under the cover may be paused: the app is invisible, and receives no input.
    var isBlockingInput: Bool { isMapped && isInputHeld }

    /// Returns true if the cover must request the input for the first time, or again.
    func needsInputHold(_ now: BootTime) -> Bool {
        !isInputHoldRequested || !isInputHeld && inputHoldRetry.map { $0 <= now } ?? false
    }

    fileprivate mutating func resetInputHold() {
        isInputHoldRequested = false
        isInputHeld = false
        inputHoldRetry = nil
    }
}

/// All covers. Each window has at most one cover that remains. A cover that is closing remains until its app runs.
struct ShieldCovers: Sendable {
    private static let prefix = "shield-"
    static let retry: Duration = .milliseconds(250)
    static let retryMax: Duration = .seconds(8)

    private var panes: [PaneID: ShieldPane] = [:]
    /// The remaining cover of each window.
    private var remainingPanes: [WindowID: PaneID] = [:]
    /// Windows whose cover failed: the number of failures, and the boot time of the next attempt.
    private var failures: [WindowID: (count: Int, retry: BootTime)] = [:]
    /// The size of the last cover on this screen. With it a picture can be drawn before the next cover appears.
    private(set) var lastSize: PaneSize?
    private var lastPane: Int64 = 0

    /// Returns true if the pane is a cover.
    static func owns(_ pane: PaneID) -> Bool { pane.rawValue.hasPrefix(prefix) }

    // MARK: - Queries

    var isEmpty: Bool { panes.isEmpty }
    var count: Int { panes.count }

    subscript(id: PaneID) -> ShieldPane? { panes[id] }

    /// The cover of a window. It may be for an app that no longer owns the window.
    subscript(window: WindowID) -> ShieldPane? { remainingPanes[window].flatMap { panes[$0] } }

    /// Returns the cover of a window, if it is for the app that owns the window and remains.
    func pane(over seen: IdentifiedWindow) -> ShieldPane? {
        guard let pane = self[seen.window.id], pane.app == seen.app?.id, !pane.isClosing else { return nil }
        return pane
    }

    /// Returns the remaining covers of an app.
    func coverPanes(_ app: String) -> [ShieldPane] {
        panes.values.filter { $0.app == app && !$0.isClosing }.sorted { $0.id.rawValue < $1.id.rawValue }
    }

    func isCovering(_ app: String) -> Bool { panes.values.contains { $0.app == app && !$0.isClosing } }

    /// Returns true if a cover of the app is on the screen.
    func hasVisiblePane(_ app: String) -> Bool { panes.values.contains { $0.app == app && $0.isMapped } }

    /// Returns the visible covers that remain. The cover over `window` is first.
    func visiblePanes(first window: WindowID?) -> [ShieldPane] {
        let focused = window.flatMap { remainingPanes[$0] }
        return panes.values.filter(\.isVisible).sorted {
            ($0.id == focused ? 0 : 1, $0.id.rawValue) < ($1.id == focused ? 0 : 1, $1.id.rawValue)
        }
    }

    var visibleCount: Int { panes.values.count(where: \.isVisible) }

    /// The apps with a cover, including covers that are closing.
    var apps: Set<String> { Set(panes.values.map(\.app)) }

    /// The size in bytes of all visible pictures.
    var paintedBytes: Int { panes.values.reduce(0) { $0 + ($1.isMapped ? $1.paintedBytes : 0) } }

    /// Returns the apps with a closing cover over a window that still exists.
    func closingApps(_ scene: DesktopModel) -> Set<String> {
        Set(panes.values.filter { $0.isClosing && scene.windows[$0.window] != nil }.map(\.app))
    }

    func hasFailed(_ window: WindowID) -> Bool { failures[window] != nil }

    /// Returns true if a cover that failed is due for another attempt.
    func isRetryDue(_ now: BootTime) -> Bool { failures.values.contains { $0.retry <= now } }

    /// The boot times at which failed covers are due for another attempt.
    var retryTimes: [BootTime] { failures.values.map(\.retry) }

    func inputHoldRetries(_ app: String) -> [BootTime] {
        panes.values.filter { $0.app == app }.compactMap(\.inputHoldRetry)
    }

    // MARK: - Covers

    /// Removes the failures of windows that no longer exist. Must be called before the windows are checked.
    mutating func discardFailures(beyond scene: DesktopModel) {
        failures = failures.filter { scene.windows[$0.key] != nil }
    }

    func canCover(_ window: WindowID, _ now: BootTime) -> Bool {
        failures[window].map { $0.retry <= now } ?? true
    }

    /// Covers a window. `isFree` is true if the app is not paused.
    mutating func cover(
        _ window: WindowID,
        of app: String,
        name: String,
        background: UInt32,
        isFree: Bool,
        _ round: inout ShieldContext
    ) {
        // The same shield came back before its cover was removed.
        let going = panes.values.first { $0.isClosing && $0.window == window && $0.app == app }
        if let old = remainingPanes[window] { close(old) }
        if let going {
            panes[going.id]?.isClosing = false
            // An earlier capture of the input is not valid for the next pause.
            if isFree { panes[going.id]?.resetInputHold() }
            remainingPanes[window] = going.id
            return
        }
        lastPane += 1
        let pane = ShieldPane(id: PaneID("\(Self.prefix)\(lastPane)"), window: window, app: app)
        panes[pane.id] = pane
        remainingPanes[window] = pane.id
        let order = PaneRequest(
            id: pane.id,
            place: .over(window),
            background: background,
            name: round.strings.pane(name),
            takesKeys: true
        )
        round.addAction(.openPane(order))
    }

    /// Marks the covers of windows that are not shielded, or belong to another app now, as closing. A hidden window keeps its
    /// cover, so it is covered when it appears again.
    mutating func closeUnwanted(_ round: ShieldContext) {
        for pane in panes.values where !pane.isClosing {
            let isWanted =
                round.isShielded(pane.app) && round.desktop.windows[pane.window]?.app?.id == pane.app
            if !isWanted { close(pane.id) }
        }
    }

    private mutating func close(_ id: PaneID) {
        guard let pane = panes[id], !pane.isClosing else { return }
        panes[id]?.isClosing = true
        if remainingPanes[pane.window] == id { remainingPanes[pane.window] = nil }
    }

    /// Removes closing covers: immediately if the window is gone, otherwise as soon as `held` does not contain their app.
    ///
    /// Returns true if any cover was removed.
    mutating func removeUnneeded(held: Set<String>, _ round: inout ShieldContext) -> Bool {
        let count = panes.count
        for pane in panes.values.filter(\.isClosing).sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
            guard round.desktop.windows[pane.window] == nil || !held.contains(pane.app) else { continue }
            panes[pane.id] = nil
            round.addAction(.closePane(pane.id))
        }
        return panes.count < count
    }

    // MARK: - Events of the screen

    mutating func shown(id: PaneID, size: PaneSize, round: inout ShieldContext) {
        guard let pane = panes[id] else { return }
        if !pane.isMapped {
            round.recordStep(
                pane.app,
                Message("agent.window-is-covered", "The window \(pane.window, "window") is covered.")
            )
        }
        failures[pane.window] = nil
        lastSize = size
        panes[id]?.size = size
        panes[id]?.isMapped = true
        // The screen repeats this event if it needs a picture.
        panes[id]?.painted = nil
        panes[id]?.paintedBytes = 0
    }

    mutating func markHidden(_ id: PaneID) { panes[id]?.isMapped = false }

    /// Handles a failed cover. The next attempts come at increasing intervals, without an end.
    mutating func fail(id: PaneID, why: Message, round: inout ShieldContext) {
        guard let pane = panes.removeValue(forKey: id) else { return }
        if remainingPanes[pane.window] == id { remainingPanes[pane.window] = nil }
        // The screen may still show a part of the cover, which this order closes.
        round.addAction(.closePane(id))
        round.recordStep(
            pane.app,
            Message(
                "agent.window-not-covered",
                "Screen Time could not cover the window \(pane.window, "window"): \(why, "reason")"
            )
        )
        guard !pane.isClosing else { return }
        let count = (failures[pane.window]?.count ?? 0) + 1
        let wait = min(Self.retryMax, Self.retry * (1 << min(count - 1, 10)))
        failures[pane.window] = (count, round.now.boot + wait)
        round.areCoversDue = true
    }

    // MARK: - Input and pictures

    mutating func requestInputHold(_ id: PaneID, _ round: inout ShieldContext) {
        panes[id]?.isInputHoldRequested = true
        panes[id]?.inputHoldRetry = nil
        round.addAction(.holdInput(id))
    }

    mutating func setInputHeld(_ id: PaneID, _ isHeld: Bool) { panes[id]?.isInputHeld = isHeld }

    mutating func scheduleInputHold(_ id: PaneID, at moment: BootTime) {
        panes[id]?.inputHoldRetry = moment
    }

    mutating func resetInputHolds(of app: String) {
        for pane in panes.values where pane.app == app { panes[pane.id]?.resetInputHold() }
    }

    mutating func markPainted(_ id: PaneID, _ key: PictureKey, bytes: Int) {
        panes[id]?.painted = key
        panes[id]?.paintedBytes = bytes
    }
}
