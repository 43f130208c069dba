package import STContracts
import STPlatform
import STTestSupport

extension Sway {
    /// One of sway's commands, such as `[app_id=foot] focus`; throws when sway refuses it.
    package func command(_ words: String) throws {
        try output("/usr/bin/swaymsg", ["--", words])
    }

    /// What sway answers to such as `get_tree`, as JSON.
    package func ask(_ type: String) throws -> JSONValue {
        try JSONValue(text: Array(output("/usr/bin/swaymsg", ["-r", "-t", type]).utf8))
    }

    /// The picture of the whole desktop, or of one monitor, as a PNG in the scratch directory.
    package func picture(_ name: String, output monitor: String? = nil) throws -> String {
        // Its own folder: grim runs as the user whom only that belongs to.
        let path = scratch.file("home/\(name).png")
        try output("/usr/bin/grim", (monitor.map { ["-o", $0] } ?? []) + [path])
        return path
    }

    /// Types as a keyboard would.
    package func type(_ text: String) throws {
        // Programs drop what comes while they still read the keymap.
        try output("/usr/bin/wtype", ["-s", "200", "-d", "15", "--", text])
    }

    /// Presses one key by its name, with modifiers held down: `press("j", with: ["logo"])`.
    package func press(_ key: String, with modifiers: [String] = []) throws {
        let down = modifiers.flatMap { ["-M", $0] }
        let up = modifiers.reversed().flatMap { ["-m", $0] }
        try output("/usr/bin/wtype", down + ["-k", key] + up)
    }

    /// The colour of one pixel of a picture, as `0xRRGGBB`.
    package func colour(of picture: String, x: Int, y: Int) throws -> UInt32 {
        let text = try output(
            "/usr/bin/convert",
            [picture, "-crop", "1x1+\(x)+\(y)", "-depth", "8", "-format", "%[hex:p{0,0}]", "info:"]
        )
        guard let colour = UInt32(text.prefix(6), radix: 16) else { throw NotYet("no colour: \(text)") }
        return colour
    }
}
