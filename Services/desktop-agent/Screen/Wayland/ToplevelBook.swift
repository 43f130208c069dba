import STCScreen
import STDesktop
import STPlatform

/// The windows from the protocol wlr-foreign-toplevel-management, or from a link's tree.
final class ToplevelBook {
    /// Windows in the order in which they opened.
    private(set) var all: [Toplevel] = []
    private var lastSerial = 0
    /// True while existing windows are reported. wlroots reports these newest first.
    var isBeginning = true
    /// Called when the description of a window is complete, for the first time or again.
    var onChange: ((Toplevel) -> Void)?
    var onGone: ((Toplevel) -> Void)?
    /// Called when the compositor stops reporting windows.
    var onFinished: (() -> Void)?

    /// Creates a list that is filled from a link's tree.
    init() {}

    init(_ connection: WaylandConnection) throws(Problem) {
        let bound = connection.bind("zwlr_foreign_toplevel_manager_v1", upTo: 3) {
            stw_bind_zwlr_foreign_toplevel_manager_v1($0, $1, $2)
        }
        guard let bound else { throw WaylandScreen.lacking(["zwlr_foreign_toplevel_manager_v1"], connection) }
        zwlr_foreign_toplevel_manager_v1_add_listener(
            bound,
            Self.managerListener,
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    subscript(_ id: WindowID) -> Toplevel? { all.first { $0.id == id } }

    /// Removes a disconnected monitor from all windows.
    func forget(_ output: Output) {
        for toplevel in all { toplevel.outputs.removeAll { $0 == output.handle } }
    }

    private func add(_ handle: OpaquePointer) {
        guard all.count < DesktopScene.windowsMax else {
            zwlr_foreign_toplevel_handle_v1_destroy(handle)
            return
        }
        lastSerial += 1
        let toplevel = Toplevel(handle, serial: lastSerial, self)
        if isBeginning { all.insert(toplevel, at: 0) } else { all.append(toplevel) }
        zwlr_foreign_toplevel_handle_v1_add_listener(
            handle,
            Self.handleListener,
            Unmanaged.passUnretained(toplevel).toOpaque()
        )
    }

    /// Updates the list from a tree.
    func follow(_ tree: WindowTree) {
        let there = Set(tree.windows.map(\.container))
        for toplevel in all where toplevel.container.map({ !there.contains($0) }) ?? true { remove(toplevel) }
        var known: [Int64: Toplevel] = [:]
        for toplevel in all { if let container = toplevel.container { known[container] = toplevel } }
        for window in tree.windows {
            let toplevel = known[window.container] ?? add(window.container)
            toplevel.title = window.title
            toplevel.appID = window.appID
            toplevel.isActivated = tree.keyed == window.container
            toplevel.isFullscreen = window.isFullscreen
            toplevel.isMinimized = window.isAway
        }
    }

    private func add(_ container: Int64) -> Toplevel {
        lastSerial += 1
        let toplevel = Toplevel(nil, serial: lastSerial, self)
        toplevel.container = container
        toplevel.isComplete = true
        all.append(toplevel)
        return toplevel
    }

    private func remove(_ toplevel: Toplevel) {
        all.removeAll { $0 === toplevel }
        if let handle = toplevel.handle { zwlr_foreign_toplevel_handle_v1_destroy(handle) }
        onGone?(toplevel)
    }

    private func take(_ states: UnsafeMutablePointer<wl_array>, _ toplevel: Toplevel) {
        func has(_ state: zwlr_foreign_toplevel_handle_v1_state) -> Bool {
            stw_array_has(states, state.rawValue) == 1
        }
        toplevel.isActivated = has(ZWLR_FOREIGN_TOPLEVEL_HANDLE_V1_STATE_ACTIVATED)
        toplevel.isMinimized = has(ZWLR_FOREIGN_TOPLEVEL_HANDLE_V1_STATE_MINIMIZED)
        toplevel.isFullscreen = has(ZWLR_FOREIGN_TOPLEVEL_HANDLE_V1_STATE_FULLSCREEN)
    }

    // MARK: - Listeners

    private static func book(_ data: UnsafeMutableRawPointer?) -> ToplevelBook? {
        data.map { Unmanaged<ToplevelBook>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func toplevel(_ data: UnsafeMutableRawPointer?) -> Toplevel? {
        data.map { Unmanaged<Toplevel>.fromOpaque($0).takeUnretainedValue() }
    }

    // unsafe: written once, before its first use.
    private nonisolated(unsafe) static let managerListener = Listener.keep(
        zwlr_foreign_toplevel_manager_v1_listener(
            toplevel: { data, _, handle in
                if let handle { ToplevelBook.book(data)?.add(handle) }
            },
            finished: { data, _ in ToplevelBook.book(data)?.onFinished?() }
        )
    )

    // unsafe: written once, before its first use.
    private nonisolated(unsafe) static let handleListener = Listener.keep(
        zwlr_foreign_toplevel_handle_v1_listener(
            title: { data, _, title in ToplevelBook.toplevel(data)?.title = TextCare.safe(title) },
            app_id: { data, _, id in ToplevelBook.toplevel(data)?.appID = TextCare.safe(id) },
            output_enter: { data, _, output in
                guard let toplevel = ToplevelBook.toplevel(data), let output,
                    !toplevel.outputs.contains(output)
                else { return }
                toplevel.outputs.append(output)
            },
            output_leave: { data, _, output in
                guard let toplevel = ToplevelBook.toplevel(data), let output else { return }
                toplevel.outputs.removeAll { $0 == output }
            },
            state: { data, _, states in
                guard let toplevel = ToplevelBook.toplevel(data), let states else { return }
                toplevel.book.take(states, toplevel)
            },
            done: { data, _ in
                guard let toplevel = ToplevelBook.toplevel(data) else { return }
                toplevel.isComplete = true
                toplevel.book.onChange?(toplevel)
            },
            closed: { data, _ in
                guard let toplevel = ToplevelBook.toplevel(data) else { return }
                toplevel.book.remove(toplevel)
            },
            parent: { _, _, _ in }
        )
    )
}

/// One window in the compositor's list.
final class Toplevel {
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
    var told: DesktopWindow?
    unowned let book: ToplevelBook

    init(_ handle: OpaquePointer?, serial: Int, _ book: ToplevelBook) {
        self.handle = handle
        self.serial = serial
        self.book = book
    }

    var id: WindowID { WindowID("wl:\(serial)") }
}
