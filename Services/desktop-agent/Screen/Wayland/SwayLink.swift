import Glibc
import STContracts
import STPlatform

/// Sway's own socket: where windows are, which process each belongs to, what is shown; and commands.
///
/// Events only say that something changed; what there is now comes from the whole tree, asked for at most every
/// `gapMs`. When anything is wrong with the link it ends, and the desktop goes on without frames.
final class SwayLink: WindowLink {
    static let gapMs: Int64 = 15
    /// How long a new title may wait.
    static let titleMs: Int64 = 200

    var onTree: ((WindowTree, Int64) -> Void)?
    var onFocus: ((Int64, Int64) -> Void)?
    var onEnd: (() -> Void)?
    /// Sway does not tell when the mouse resizes a tiled window.
    let looksForFrames = true
    let withoutIt: Message? = nil

    private let loop: LoopThread
    private let socket: OwnedDescriptor
    private var buffer: [UInt8] = []
    private var unsent: [UInt8] = []
    private var isAsked = false
    private var isStale = false
    private var staleBootMs: Int64 = 0
    private var askedForBootMs: Int64 = 0
    private var askedAtMs: Int64 = 0
    private var hasTimer = false
    private var isWaiting = false
    private var isOver = false

    /// Nil when no program listens there.
    init?(_ path: String, _ loop: LoopThread) {
        guard case .success(let socket) = WaylandSocket.connect(path) else { return nil }
        self.socket = socket
        self.loop = loop
        loop.currentWaiter.watch(descriptor: socket.number) { [weak self] in self?.read() }
        send(.subscribe, #"["window","workspace","output","binding"]"#)
        refresh()
    }

    func close() {
        guard !isOver else { return }
        isOver = true
        loop.currentWaiter.unwatch(descriptor: socket.number)
        buffer = []
    }

    func bring(_ container: Int64) { send(.command, "[con_id=\(container)] focus") }

    /// Sway knows no minimising; what it has is a place where windows are put away.
    func putAway(_ container: Int64) {
        send(.command, "[con_id=\(container)] move scratchpad")
        refresh()
    }

    func askToClose(_ container: Int64) { send(.command, "[con_id=\(container)] kill") }

    /// An open menu keeps the keyboard (wlroots: "keyboard focus should remain on the popup"), and sway closes the menus
    /// of a window when the focus leaves it: so it leaves, and comes back in the same moment.
    ///
    /// Not by `focus child`, which would go to a tiled window from a floating one.
    func closeMenus(of container: Int64) {
        send(.command, "[con_id=\(container)] focus; focus parent; [con_id=\(container)] focus")
    }

    func refresh() {
        guard !isOver else { return }
        if !isStale { staleBootMs = Stopwatch.bootMilliseconds() }
        isStale = true
        askIfDue()
    }

    private func askIfDue() {
        guard isStale, !isAsked, !isOver, !hasTimer else { return }
        let waitMs = askedAtMs + Self.gapMs - Stopwatch.milliseconds()
        if waitMs > 0 {
            hasTimer = true
            loop.after(milliseconds: waitMs) { [weak self] in
                self?.hasTimer = false
                self?.askIfDue()
            }
            return
        }
        isStale = false
        isAsked = true
        askedForBootMs = staleBootMs
        askedAtMs = Stopwatch.milliseconds()
        send(.tree, "")
    }

    private func send(_ kind: SwayFrame.Kind, _ payload: String) {
        guard !isOver else { return }
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
                // Sway does not read: what piles up is a handful of words, and goes out with the next ones.
                if errno != EAGAIN || unsent.count > 64 * 1024 { end() }
                return
            }
            unsent.removeFirst(count)
        }
    }

    private func read() {
        var part = [UInt8](repeating: 0, count: 64 * 1024)
        while !isOver {
            let count = recv(socket.number, &part, part.count, Int32(MSG_DONTWAIT))
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno == EAGAIN { break }
            guard count > 0 else { return end() }
            buffer += part[..<count]
            guard takeFrames() else { return end() }
            if count < part.count { break }
        }
        flush()
    }

    private func takeFrames() -> Bool {
        do {
            while !isOver, let frame = try SwayFrame.take(&buffer) { take(frame) }
            return true
        } catch {
            return false
        }
    }

    private func take(_ frame: SwayFrame) {
        if frame.type & SwayFrame.eventBit != 0 {
            hear(frame)
            return
        }
        guard frame.type == SwayFrame.Kind.tree.rawValue else { return }
        isAsked = false
        // One that cannot be read tells nothing; the next event asks again.
        if let tree = try? WindowTree(sway: frame.payload) { onTree?(tree, askedForBootMs) }
        askIfDue()
    }

    private func hear(_ frame: SwayFrame) {
        guard let look = try? JSONLook(frame.payload, depthLimit: WindowTree.swayDepth) else {
            return refresh()
        }
        switch look["change"]?.string {
        case "title"?, "mark"?, "urgent"?: refreshLater()
        case "focus"?:
            if let container = look["container"]?["id"]?.integer {
                onFocus?(container, Stopwatch.bootMilliseconds())
            }
            refresh()
        default: refresh()
        }
    }

    /// Some programs change their title many times a second.
    private func refreshLater() {
        guard !isWaiting else { return }
        isWaiting = true
        loop.after(milliseconds: Self.titleMs) { [weak self] in
            self?.isWaiting = false
            self?.refresh()
        }
    }

    private func end() {
        guard !isOver else { return }
        close()
        onEnd?()
    }
}

/// A message of sway's IPC: a magic word, a length, a type, and JSON.
struct SwayFrame {
    static let magic = Array("i3-ipc".utf8)
    static let headerBytes = 14
    /// A tree of a thousand windows is two of them.
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

    /// Cuts the first whole message off; nil while it is not whole.
    ///
    /// Throws when the other side does not speak this protocol, or says too much.
    static func take(_ buffer: inout [UInt8]) throws(SwayFault) -> SwayFrame? {
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

/// The other side is not sway, or not one that we understand.
struct SwayFault: Error {}
