import Glibc
import STCScreen
import STCTestScreen
import STTestDisplay

/// Windows that perform commands, one a line. Each is answered by `ok …` or `no …`.
///
///     map TITLE APPID      a new window; answers its number
///     size W H             sets the size of new windows, if the compositor sets none
///     title N TEXT, broken-title N, fullscreen N on|off, menu N open|close|state, inhibit N on|off
///     text                 all that was typed into any of them so far
///     motions              how often the pointer moved over any of them
///     close N, quit
@main
enum Main {
    static func main() {
        guard let wire = Wire(), let client = Client(wire) else { return say("no display") }
        wl_display_roundtrip(wire.display)
        var windows: [Int: Window] = [:]
        var last = 0
        var size: (width: Int32, height: Int32) = (400, 300)
        wire.run { line in
            let words = line.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
            let window = words.count > 1 ? Int(words[1]).flatMap { windows[$0] } : nil
            switch words.first {
            case "map" where words.count >= 3:
                let title = words[1..<(words.count - 1)].joined(separator: " ")
                guard let new = Window(client, title: title, appID: words[words.count - 1], size) else {
                    return nil
                }
                last += 1
                windows[last] = new
                return String(last)
            case "size" where words.count == 3:
                guard let width = Int32(words[1]), let height = Int32(words[2]) else { return nil }
                size = (width, height)
                return ""
            case "text", "motions":
                // Handle all events that the compositor has sent.
                wl_display_roundtrip(wire.display)
                return words[0] == "text" ? client.text : String(client.motions)
            case "quit":
                say("ok")
                exit(0)
            case "close":
                guard let window, let number = Int(words[1]) else { return nil }
                window.destroy()
                windows[number] = nil
                return ""
            default: return window.flatMap { tell($0, words: words, client: client) ? "" : nil }
            }
        }
    }

    private static func tell(_ window: Window, words: [String], client: Client) -> Bool {
        let rest = words.dropFirst(2).joined(separator: " ")
        switch (words[0], rest) {
        case ("title", _): window.setTitle(rest)
        case ("broken-title", _): window.setBrokenTitle()
        case ("fullscreen", "on"): xdg_toplevel_set_fullscreen(window.toplevel, nil)
        case ("fullscreen", _): xdg_toplevel_unset_fullscreen(window.toplevel)
        case ("menu", "open"): return window.openMenu()
        case ("menu", "state"): return window.isMenuOpen
        case ("menu", _): window.closeMenu()
        case ("inhibit", "on"):
            guard window.inhibitor == nil, let inhibit = client.inhibit else { return false }
            window.inhibitor = zwp_idle_inhibit_manager_v1_create_inhibitor(inhibit, window.surface)
        case ("inhibit", _):
            guard let inhibitor = window.inhibitor else { return false }
            zwp_idle_inhibitor_v1_destroy(inhibitor)
            window.inhibitor = nil
        default: return false
        }
        return true
    }
}
