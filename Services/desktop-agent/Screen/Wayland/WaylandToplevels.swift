import STCScreen
import STDesktop
import STPlatform

/// The windows from the protocol wlr-foreign-toplevel-management, or from a link's tree.
final class WaylandToplevels {
    /// Windows in the order in which they opened.
    private(set) var toplevels: [WaylandToplevel] = []
    private var lastSerial = 0
    /// True while existing windows are reported. wlroots reports these newest first.
    var isLoadingInitialWindows = true
    /// Called when the description of a window is complete, for the first time or again.
    var onChange: ((WaylandToplevel) -> Void)?
    var onGone: ((WaylandToplevel) -> Void)?
    /// Called when the compositor stops reporting windows.
    var onFinished: (() -> Void)?

    /// Creates a list that is filled from a link's tree.
    init() {}

    init(_ connection: WaylandConnection) throws(Problem) {
        let bound = connection.bind("zwlr_foreign_toplevel_manager_v1", upTo: 3) {
            stw_bind_zwlr_foreign_toplevel_manager_v1($0, $1, $2)
        }
        guard let bound else {
            throw WaylandScreen.missingProtocolsProblem(["zwlr_foreign_toplevel_manager_v1"], connection)
        }
        zwlr_foreign_toplevel_manager_v1_add_listener(
            bound,
            Self.managerListener,
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    subscript(_ id: WindowID) -> WaylandToplevel? { toplevels.first { $0.id == id } }

    /// Removes a disconnected monitor from all windows.
    func removeOutput(_ output: WaylandOutput) {
        for toplevel in toplevels { toplevel.outputs.removeAll { $0 == output.handle } }
    }

    private func add(_ handle: OpaquePointer) {
        guard toplevels.count < DesktopModel.windowsMax else {
            zwlr_foreign_toplevel_handle_v1_destroy(handle)
            return
        }
        lastSerial += 1
        let toplevel = WaylandToplevel(handle, serial: lastSerial, self)
        if isLoadingInitialWindows { toplevels.insert(toplevel, at: 0) } else { toplevels.append(toplevel) }
        zwlr_foreign_toplevel_handle_v1_add_listener(
            handle,
            Self.handleListener,
            Unmanaged.passUnretained(toplevel).toOpaque()
        )
    }

    /// Updates the list from a tree.
    func update(_ tree: WindowTree) {
        let there = Set(tree.windows.map(\.container))
        for toplevel in toplevels where toplevel.container.map({ !there.contains($0) }) ?? true {
            remove(toplevel)
        }
        var known: [Int64: WaylandToplevel] = [:]
        for toplevel in toplevels { if let container = toplevel.container { known[container] = toplevel } }
        for window in tree.windows {
            let toplevel = known[window.container] ?? add(window.container)
            toplevel.title = window.title
            toplevel.appID = window.appID
            toplevel.isActivated = tree.keyboardFocus == window.container
            toplevel.isFullscreen = window.isFullscreen
            toplevel.isMinimized = window.isHidden
        }
    }

    private func add(_ container: Int64) -> WaylandToplevel {
        lastSerial += 1
        let toplevel = WaylandToplevel(nil, serial: lastSerial, self)
        toplevel.container = container
        toplevel.isComplete = true
        toplevels.append(toplevel)
        return toplevel
    }

    private func remove(_ toplevel: WaylandToplevel) {
        toplevels.removeAll { $0 === toplevel }
        if let handle = toplevel.handle { zwlr_foreign_toplevel_handle_v1_destroy(handle) }
        onGone?(toplevel)
    }

    private func applyStates(_ states: UnsafeMutablePointer<wl_array>, _ toplevel: WaylandToplevel) {
        func has(_ state: zwlr_foreign_toplevel_handle_v1_state) -> Bool {
            stw_array_has(states, state.rawValue) == 1
        }
        toplevel.isActivated = has(ZWLR_FOREIGN_TOPLEVEL_HANDLE_V1_STATE_ACTIVATED)
        toplevel.isMinimized = has(ZWLR_FOREIGN_TOPLEVEL_HANDLE_V1_STATE_MINIMIZED)
        toplevel.isFullscreen = has(ZWLR_FOREIGN_TOPLEVEL_HANDLE_V1_STATE_FULLSCREEN)
    }

    // MARK: - Listeners

    private static func instance(_ data: UnsafeMutableRawPointer?) -> WaylandToplevels? {
        data.map { Unmanaged<WaylandToplevels>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func toplevel(_ data: UnsafeMutableRawPointer?) -> WaylandToplevel? {
        data.map { Unmanaged<WaylandToplevel>.fromOpaque($0).takeUnretainedValue() }
    }

    // unsafe: written once, before its first use.
    private nonisolated(unsafe) static let managerListener = Listener.keep(
        zwlr_foreign_toplevel_manager_v1_listener(
            toplevel: { data, _, handle in
                if let handle { WaylandToplevels.instance(data)?.add(handle) }
            },
            finished: { data, _ in WaylandToplevels.instance(data)?.onFinished?() }
        )
    )

    // unsafe: written once, before its first use.
    private nonisolated(unsafe) static let handleListener = Listener.keep(
        zwlr_foreign_toplevel_handle_v1_listener(
            title: { data, _, title in WaylandToplevels.toplevel(data)?.title = TextSanitizer.sanitized(title)
            },
            app_id: { data, _, id in WaylandToplevels.toplevel(data)?.appID = TextSanitizer.sanitized(id) },
            output_enter: { data, _, output in
                guard let toplevel = WaylandToplevels.toplevel(data), let output,
                    !toplevel.outputs.contains(output)
                else { return }
                toplevel.outputs.append(output)
            },
            output_leave: { data, _, output in
                guard let toplevel = WaylandToplevels.toplevel(data), let output else { return }
                toplevel.outputs.removeAll { $0 == output }
            },
            state: { data, _, states in
                guard let toplevel = WaylandToplevels.toplevel(data), let states else { return }
                toplevel.book.applyStates(states, toplevel)
            },
            done: { data, _ in
                guard let toplevel = WaylandToplevels.toplevel(data) else { return }
                toplevel.isComplete = true
                toplevel.book.onChange?(toplevel)
            },
            closed: { data, _ in
                guard let toplevel = WaylandToplevels.toplevel(data) else { return }
                toplevel.book.remove(toplevel)
            },
            parent: { _, _, _ in }
        )
    )
}

/// One window in the compositor's list.
final class WaylandToplevel {
    /// `nil` for a window from a link's tree.
    let handle: OpaquePointer?
    /// The serial number. Numbers ascend in the order of opening.
    let serial: Int
    var title: String?
    var appID: String?
    var outputs: [OpaquePointer] = []
    var isActivated = false
    var isMinimized = false
    var isFullscreen = false
    /// True once a `done` event has followed the first description. Titles and states are consistent only after `done`.
    var isComplete = false
    /// The number of the window in the link's tree.
    var container: Int64?
    /// The last reported value.
    var lastSent: DesktopWindow?
    unowned let book: WaylandToplevels

    init(_ handle: OpaquePointer?, serial: Int, _ book: WaylandToplevels) {
        self.handle = handle
        self.serial = serial
        self.book = book
    }

    var id: WindowID { WindowID("wl:\(serial)") }
}
