package import STContracts
package import STDesktop
import STPlatform

/// The JSON messages between desktop-agent and the extension in GNOME Shell, without side effects.
///
/// The Shell is another program, so all its values are bounded and cleaned here.
package enum GnomeMessages {
    private static let depthMax = 8
    private static let eventsMax = 10_000
    private static let monitorsMax = 64

    // MARK: - From the extension

    package static func events(_ text: String) throws -> [DesktopEvent] {
        try JSONElement(Array(text.utf8), depthLimit: depthMax).elements.prefix(eventsMax).compactMap(event)
    }

    static func facts(_ text: String) -> GnomeFacts? {
        guard let look = try? JSONElement(Array(text.utf8), depthLimit: depthMax),
            let version = look["version"]?.string, let shell = look["shell"]?.string
        else { return nil }
        return GnomeFacts(
            version: TextSanitizer.sanitized(version),
            shell: TextSanitizer.sanitized(shell),
            covers: look["covers"]?.bool == true
        )
    }

    private static func event(_ word: JSONElement) -> DesktopEvent? {
        if let window = word["window"] { return self.window(window).map { .window($0) } }
        if let id = word["gone"]?.string { return .windowGone(windowID(id)) }
        if let focus = word["focus"] {
            return .focus(focus.string.map(windowID), atBootMs: bootTime(word["at"]).ms)
        }
        if let pane = word["pane"]?.string {
            return self.pane(word).map { .pane(PaneID(TextSanitizer.sanitized(pane)), $0) }
        }
        if let quiet = word["quiet"] { return .quiet(sinceBootMs: bootTime(quiet).ms) }
        if let idle = word["idle"] { return .idle(sinceBootMs: bootTime(idle).ms) }
        if let touched = word["touched"] { return .touched(atBootMs: bootTime(touched).ms) }
        if let outputs = word["outputs"] {
            return .outputs(outputs.elements.prefix(monitorsMax).compactMap(output))
        }
        if let choice = word["chosen"]?.integer { return Int32(exactly: choice).map { .chosen($0) } }
        if let covers = word["ready"]?.bool { return .ready(abilities(covers)) }
        guard let why = word["ended"]?.string else { return nil }
        return .lost(Problem("desktop.lost", verbatim: TextSanitizer.sanitized(why), retryable: true))
    }

    /// Converts to boot time. The extension uses the monotonic clock, which stops during sleep.
    private static func bootTime(_ word: JSONElement?) -> BootTime {
        let ago = word?.integer.map { Stopwatch.reading() - .milliseconds(max(0, $0)) } ?? .zero
        return Stopwatch.bootTime() - max(.zero, ago)
    }

    private static func window(_ word: JSONElement) -> DesktopWindow? {
        guard let id = word["id"]?.string else { return nil }
        func text(_ key: String) -> String? { word[key]?.string.map(TextSanitizer.sanitized) }
        return DesktopWindow(
            id: windowID(id),
            windowClass: text("class"),
            instance: text("instance"),
            pid: word["pid"]?.integer.flatMap { $0 > 0 ? Int32(exactly: $0) : nil },
            desktopFile: text("entry"),
            frame: rect(word["frame"]),
            isMinimized: word["minimized"]?.bool == true,
            isFullscreen: word["fullscreen"]?.bool == true,
            isShown: word["shown"]?.bool == true,
            isChrome: word["chrome"]?.bool == true
        )
    }

    private static func output(_ word: JSONElement) -> DesktopOutput? {
        guard let name = word["name"]?.string, let frame = rect(word["frame"]) else { return nil }
        return DesktopOutput(name: TextSanitizer.sanitized(name), frame: frame, scale: scale(word))
    }

    private static func pane(_ word: JSONElement) -> PaneEvent? {
        if let size = word["shown"]?.elements.map(number), size.count == 2 {
            return .shown(
                width: size[0],
                height: size[1],
                scale: scale(word),
                atBootMs: bootTime(word["at"]).ms
            )
        }
        if word["hidden"] != nil { return .hidden }
        if let spot = word["hovered"] { return .hovered(spot.string.map(TextSanitizer.sanitized)) }
        if let spot = word["pressed"]?.string { return .pressed(TextSanitizer.sanitized(spot)) }
        if let key = word["key"]?.string.flatMap({ keys[$0] }) { return .key(key) }
        if let text = word["text"]?.string, text == DisplayWidth.sanitized(text) { return .key(.text(text)) }
        if let isHeld = word["held"]?.bool { return .held(isHeld, word["why"]?.string.map(sentence)) }
        return word["failed"]?.string.map { .failed(sentence($0)) }
    }

    /// Keeps the text as it is, because the extension writes English only.
    private static func sentence(_ text: String) -> Message {
        Message(verbatim: TextSanitizer.sanitized(text))
    }

    private static let keys: [String: PaneKey] = [
        "next": .next, "previous": .previous, "press": .press, "cancel": .cancel, "backspace": .backspace,
    ]

    private static func abilities(_ covers: Bool) -> ScreenAbilities {
        var abilities = ScreenAbilities()
        abilities.reportsProcesses = true
        abilities.reportsFrames = true
        abilities.waitsForClients = true
        abilities.reportsIdle = true
        abilities.covers = covers
        abilities.holdsInput = covers
        abilities.minimizes = true
        abilities.activates = true
        abilities.closesWindows = true
        abilities.hasPanel = covers
        return abilities
    }

    /// Clamps numbers far beyond any desktop, so that sums cannot overflow.
    private static func number(_ word: JSONElement) -> Int {
        Int(min(max(word.integer ?? 0, -1_000_000), 1_000_000))
    }

    private static func scale(_ word: JSONElement) -> Double { min(max(word["scale"]?.double ?? 1, 0.1), 16) }

    private static func rect(_ word: JSONElement?) -> ScreenRect? {
        guard let numbers = word?.elements.map(number), numbers.count == 4 else { return nil }
        return ScreenRect(x: numbers[0], y: numbers[1], width: max(0, numbers[2]), height: max(0, numbers[3]))
    }

    private static func windowID(_ id: String) -> WindowID {
        WindowID("gnome:\(TextSanitizer.sanitized(id))")
    }

    // MARK: - To the extension

    package static func encode(_ act: DesktopAction) -> JSONValue {
        switch act {
        case .openPane(let order): encodePane(order)
        case .paint(let id, let picture):
            [
                "do": "paint", "pane": .string(id.rawValue), "path": .string(picture.path),
                "width": .integer(Int64(picture.width)), "height": .integer(Int64(picture.height)),
                "spots": .array(picture.spots.map(spot)),
            ]
        case .closePane(let id): ["do": "close", "pane": .string(id.rawValue)]
        case .holdInput(let id): ["do": "hold", "pane": .string(id.rawValue)]
        case .minimize(let ids): ["do": "minimize", "windows": .array(ids.map(window))]
        case .activate(let id): ["do": "activate", "window": id.map(window) ?? .null]
        case .askToClose(let id): ["do": "ask_to_close", "window": window(id)]
        case .showItem(let item): ["do": "item", "item": item.map(self.item) ?? .null]
        }
    }

    private static func encodePane(_ order: PaneRequest) -> JSONValue {
        var words: [String: JSONValue] = [
            "do": "open", "pane": .string(order.id.rawValue), "background": .string(css(order.background)),
            "name": .string(order.name), "keys": .bool(order.takesKeys),
        ]
        switch order.place {
        case .over(let id): words["over"] = window(id)
        case .corner(let width, let height):
            words["corner"] = .array([.integer(Int64(width)), .integer(Int64(height))])
        case .middle(let width, let height):
            words["middle"] = .array([.integer(Int64(width)), .integer(Int64(height))])
        }
        return .object(words)
    }

    private static func item(_ item: PanelItem) -> JSONValue {
        [
            "name": .string(item.name), "label": .string(item.label),
            "lines": .array(item.lines.map { .string($0) }),
            "choices": .array(item.choices.map { ["id": .integer(Int64($0.id)), "text": .string($0.text)] }),
        ]
    }

    private static func spot(_ spot: PaneSpot) -> JSONValue {
        let frame = [spot.frame.x, spot.frame.y, spot.frame.width, spot.frame.height]
        return ["id": .string(spot.id), "frame": .array(frame.map { .integer(Int64($0)) })]
    }

    private static func window(_ id: WindowID) -> JSONValue {
        .string(String(id.rawValue.dropFirst("gnome:".count)))
    }

    private static func css(_ colour: UInt32) -> String {
        let parts = [16, 8, 0].map { String((colour >> $0) & 0xFF) }.joined(separator: ", ")
        return "rgba(\(parts), \(Double(colour >> 24) / 255))"
    }
}
