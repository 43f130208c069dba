import Glibc
import STPlatform

/// A few lines of a terminal that are redrawn after each key and cleared at the end. The text above them stays.
///
/// The terminal's mode is always restored.
final class PickScreen: Sendable {
    /// Upper bound on the wait for a key. If the person has left, the command ends.
    private static let idleMsMax: Int32 = 30 * 60_000
    /// The wait for the rest of a sequence. A key with several bytes sends them together.
    private static let escapeMs: Int32 = 60
    /// The signals for a new window size and for continuing after a stop.
    private static let redrawing = [SIGWINCH, SIGCONT]
    private static let signals = Interrupts.ending + [SIGHUP, SIGQUIT] + redrawing
    private static let clearLine = "\u{1B}[K"
    private static let clearBelow = "\u{1B}[J"

    private let descriptor: OwnedDescriptor
    private let style: Terminal

    /// Opens the terminal. `terminal.keyboard` is `/dev/tty` except in tests.
    init(_ terminal: Terminal, environment: [String: String]) throws(Problem) {
        let number = Glibc.open(terminal.keyboard, O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard number >= 0, isatty(number) == 1, environment["TERM"] != "dumb" else {
            if number >= 0 { close(number) }
            throw Problem(
                "terminal.none",
                """
                The selection screen needs a terminal. Name the apps, categories and sites in the command, \
                or use --list.
                """,
                key: "terminal.none.there-is-no",
                help: "screentime pick firefox category:social site:reddit.com --output FILE"
            )
        }
        descriptor = OwnedDescriptor(number)
        var look = terminal
        // The list is drawn on this terminal even if the output goes elsewhere.
        look.isColoured = environment["NO_COLOR", default: ""].isEmpty
        self.style = look
    }

    /// Returns the selection, or `nil` if the person left without saving. `make` receives the columns and rows.
    func run(_ make: @escaping @Sendable (_ columns: Int, _ rows: Int) -> PickerModel) async throws
        -> PickSelection?
    {
        try await OwnThread.run("picker") { try self.choose(make) }
    }

    private func choose(_ make: (_ columns: Int, _ rows: Int) -> PickerModel) throws -> PickSelection? {
        let pipe = try DescriptorPipe()
        var saved = termios()
        guard tcgetattr(descriptor.number, &saved) == 0 else { throw SystemError.last("tcgetattr") }
        var raw = saved
        raw.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
        raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
        Interrupts.watch(Self.signals, writingTo: pipe.writeEnd.number, secondKills: false)
        defer { Interrupts.unwatch(Self.signals) }
        guard tcsetattr(descriptor.number, TCSADRAIN, &raw) == 0 else { throw SystemError.last("tcsetattr") }
        let (columns, rows) = size()
        var model = make(columns, rows)
        var drawn: [Int] = []
        defer {
            put(back(drawn, columns: size().columns) + Self.clearBelow)
            tcsetattr(descriptor.number, TCSADRAIN, &saved)
        }
        var reader = PickKeyReader()
        while true {
            draw(model, &drawn)
            switch try next(pipe.readEnd.number, &reader) {
            case .keys(let keys):
                for key in keys {
                    switch model.handle(key) {
                    case .continuing: continue
                    case .saved: return model.selection
                    case .cancelled: return nil
                    }
                }
            case .redraw:
                // The shell may have changed the terminal's mode during the stop.
                tcsetattr(descriptor.number, TCSADRAIN, &raw)
                let (columns, rows) = size()
                model.resize(columns: columns, rows: rows)
            case .ended:
                throw Problem(
                    "terminal.interrupted",
                    "Interrupted; nothing was saved.",
                    key: "terminal.interrupted.interrupted-nothing-was"
                )
            }
        }
    }

    // MARK: - Input

    private enum Event {
        case keys([PickKey])
        case redraw
        case ended
    }

    private func next(_ signals: Int32, _ reader: inout PickKeyReader) throws(Problem) -> Event {
        var entries = [
            pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let ready = poll(&entries, 2, reader.isWaiting ? Self.escapeMs : Self.idleMsMax)
            if ready < 0 && errno == EINTR { continue }
            if ready == 0 {
                guard reader.isWaiting else {
                    throw Problem(
                        "terminal.nobody",
                        "Nothing was typed for half an hour, so nothing was saved.",
                        key: "terminal.nobody.nothing-was-typed"
                    )
                }
                return .keys(reader.flush())
            }
            if entries[1].revents != 0 {
                var byte: UInt8 = 0
                guard read(signals, &byte, 1) == 1 else { return .ended }
                return Self.redrawing.contains(Int32(byte)) ? .redraw : .ended
            }
            var buffer = [UInt8](repeating: 0, count: 256)
            let count = read(descriptor.number, &buffer, buffer.count)
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            // The terminal no longer exists.
            guard count > 0 else { return .ended }
            return .keys(reader.decode(buffer[..<count]))
        }
    }

    private func size() -> (columns: Int, rows: Int) {
        var size = winsize()
        let isSized =
            ioctl(descriptor.number, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
        return isSized ? (Int(size.ws_col), Int(size.ws_row)) : (80, 24)
    }

    // MARK: - Drawing

    /// Draws a frame. `drawn` has the widths of the lines above the cursor, because a narrower window breaks them.
    private func draw(_ model: PickerModel, _ drawn: inout [Int]) {
        var terminal = style
        terminal.columns = model.columns
        terminal.rows = model.height
        let frame = model.frame(terminal)
        let above = frame.lines.count - 1 - frame.cursorLine
        var text = back(drawn, columns: model.columns)
        text += frame.lines.map { $0 + Self.clearLine }.joined(separator: "\r\n") + Self.clearBelow
        if above > 0 { text += "\u{1B}[\(above)A" }
        text += "\r" + (frame.cursorColumn > 0 ? "\u{1B}[\(frame.cursorColumn)C" : "")
        put(text)
        drawn = frame.lines.prefix(frame.cursorLine).map { DisplayWidth.columns(Self.plain($0)) }
    }

    /// Returns the sequence that moves the cursor to the beginning of the frame.
    private func back(_ drawn: [Int], columns: Int) -> String {
        let up = drawn.reduce(0) { $0 + max(1, ($1 + columns - 1) / max(1, columns)) }
        return "\r" + (up > 0 ? "\u{1B}[\(up)A" : "")
    }

    private static func plain(_ line: String) -> String {
        line.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
    }

    private func put(_ text: String) { _ = OwnedDescriptor.write(text.utf8, to: descriptor.number) }
}
