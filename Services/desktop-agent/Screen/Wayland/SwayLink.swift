import Glibc
import STContracts
import STPlatform

/// The IPC socket of sway: positions, processes and visibility of windows, and commands.
///
/// Events only report that something changed. The new state comes from the whole tree, which is requested at most every
/// `refreshDelay`. After any error the link ends, and the adapter continues without frames.
final class SwayLink: CompositorLink {
    static let refreshDelay = Duration.milliseconds(15)
    /// Delay for a new title.
    static let titleDelay = Duration.milliseconds(200)

    var onTree: ((WindowTree, BootTime) -> Void)?
    var onFocus: ((Int64, BootTime) -> Void)?
    var onEnd: (() -> Void)?
    /// Sway does not report when the mouse resizes a tiled window.
    let pollsFrames = true
    let fallbackWarning: Message? = nil

    private let loop: LoopThread
    private let socket: OwnedDescriptor
    private var buffer: [UInt8] = []
    private var unsent: [UInt8] = []
    private var isRequestPending = false
    private var isStale = false
    private var staleSince = BootTime.start
    private var requestedTime = BootTime.start
    private var lastRequest = Duration.zero
    private var hasTimer = false
    private var isWaiting = false
    private var hasEnded = false

    /// Returns `nil` if no program listens there.
    init?(_ path: String, _ loop: LoopThread) {
        guard case .success(let socket) = WaylandSocket.connect(path) else { return nil }
        self.socket = socket
        self.loop = loop
        loop.currentWaiter.watch(descriptor: socket.number) { [weak self] in self?.read() }
        send(.subscribe, #"["window","workspace","output","binding"]"#)
        refresh()
    }

    func close() {
        guard !hasEnded else { return }
        hasEnded = true
        loop.currentWaiter.unwatch(descriptor: socket.number)
        buffer = []
    }

    func activate(_ container: Int64) { send(.command, "[con_id=\(container)] focus") }

    /// Moves the window to the scratchpad, because sway cannot minimise windows.
    func minimize(_ container: Int64) {
        send(.command, "[con_id=\(container)] move scratchpad")
        refresh()
    }

    func requestClose(_ container: Int64) { send(.command, "[con_id=\(container)] kill") }

    /// Closes menus by moving the focus away and back immediately. An open menu keeps the keyboard (wlroots: "keyboard focus should
    /// remain on the popup"), but sway closes a window's menus when the window loses the focus.
    ///
    /// `focus child` does not work, because it would move the focus from a floating to a tiled window.
    func closeMenus(of container: Int64) {
        send(.command, "[con_id=\(container)] focus; focus parent; [con_id=\(container)] focus")
    }

    func refresh() {
        guard !hasEnded else { return }
        if !isStale { staleSince = Stopwatch.bootTime() }
        isStale = true
        requestIfDue()
    }

    private func requestIfDue() {
        guard isStale, !isRequestPending, !hasEnded, !hasTimer else { return }
        let wait = lastRequest + Self.refreshDelay - Stopwatch.reading()
        if wait > .zero {
            hasTimer = true
            loop.after(milliseconds: wait.ms) { [weak self] in
                self?.hasTimer = false
                self?.requestIfDue()
            }
            return
        }
        isStale = false
        isRequestPending = true
        requestedTime = staleSince
        lastRequest = Stopwatch.reading()
        send(.tree, "")
    }

    private func send(_ kind: SwayFrame.Kind, _ payload: String) {
        guard !hasEnded else { return }
        unsent += SwayFrame.bytes(kind, payload)
        flush()
    }

    private func flush() {
        while !unsent.isEmpty {
            let count = unsent.withUnsafeBytes {
                Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                // Sway does not read. The few queued bytes are sent together with later ones.
                if errno != EAGAIN || unsent.count > 64 * 1024 { end() }
                return
            }
            unsent.removeFirst(count)
        }
    }

    private func read() {
        var part = [UInt8](repeating: 0, count: 64 * 1024)
        while !hasEnded {
            let count = recv(socket.number, &part, part.count, Int32(MSG_DONTWAIT))
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno == EAGAIN { break }
            guard count > 0 else { return end() }
            buffer += part[..<count]
            guard processFrames() else { return end() }
            if count < part.count { break }
        }
        flush()
    }

    private func processFrames() -> Bool {
        do {
            while !hasEnded, let frame = try SwayFrame.parseNext(&buffer) { handle(frame) }
            return true
        } catch {
            return false
        }
    }

    private func handle(_ frame: SwayFrame) {
        if frame.type & SwayFrame.eventBit != 0 {
            handleEvent(frame)
            return
        }
        guard frame.type == SwayFrame.Kind.tree.rawValue else { return }
        isRequestPending = false
        // An unreadable tree is ignored. The next event requests another one.
        if let tree = try? WindowTree(sway: frame.payload) { onTree?(tree, requestedTime) }
        requestIfDue()
    }

    private func handleEvent(_ frame: SwayFrame) {
        guard let look = try? JSONElement(frame.payload, depthLimit: WindowTree.swayDepth) else {
            return refresh()
        }
        switch look["change"]?.string {
        case "title"?, "mark"?, "urgent"?: scheduleRefresh()
        case "focus"?:
            if let container = look["container"]?["id"]?.integer {
                onFocus?(container, Stopwatch.bootTime())
            }
            refresh()
        default: refresh()
        }
    }

    /// Waits before the next request, because some programs change their title many times per second.
    private func scheduleRefresh() {
        guard !isWaiting else { return }
        isWaiting = true
        loop.after(milliseconds: Self.titleDelay.ms) { [weak self] in
            self?.isWaiting = false
            self?.refresh()
        }
    }

    private func end() {
        guard !hasEnded else { return }
        close()
        onEnd?()
    }
}

/// A message of sway's IPC: a magic string, a length, a type, and JSON.
struct SwayFrame {
    static let magic = Array("i3-ipc".utf8)
    static let headerBytes = 14
    /// Upper bound on a payload. A tree of a thousand windows takes two megabytes.
    static let payloadBytesMax = 8 << 20

    enum Kind: UInt32 {
        case command = 0
        case subscribe = 2
        case tree = 4
    }

    /// Events have the highest bit set.
    static let eventBit: UInt32 = 1 << 31

    var type: UInt32
    var payload: [UInt8]

    static func bytes(_ kind: Kind, _ payload: String) -> [UInt8] {
        var bytes = magic
        for word in [UInt32(payload.utf8.count), kind.rawValue] {
            withUnsafeBytes(of: word) { bytes += $0 }
        }
        return bytes + Array(payload.utf8)
    }

    /// Removes the first complete message from the buffer. Returns `nil` if the message is incomplete.
    ///
    /// Throws if the data does not follow the protocol or the message is too long.
    static func parseNext(_ buffer: inout [UInt8]) throws(SwayFault) -> SwayFrame? {
        guard buffer.count >= headerBytes else { return nil }
        guard buffer.starts(with: magic) else { throw SwayFault() }
        let (length, type) = buffer.withUnsafeBytes {
            (
                Int($0.loadUnaligned(fromByteOffset: 6, as: UInt32.self)),
                $0.loadUnaligned(fromByteOffset: 10, as: UInt32.self)
            )
        }
        guard length <= payloadBytesMax else { throw SwayFault() }
        guard buffer.count >= headerBytes + length else { return nil }
        let frame = SwayFrame(type: type, payload: Array(buffer[headerBytes..<(headerBytes + length)]))
        buffer.removeFirst(headerBytes + length)
        return frame
    }
}

/// The other program is not sway, or uses an unsupported protocol.
struct SwayFault: Error {}
