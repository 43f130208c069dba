import STTestSupport

/// What is on the display, as other programs see it.
extension XDisplay {
    /// The whole screen as a file; its name decides on the format.
    package func picture(_ path: String) throws { try run("import", "-window", "root", path) }

    /// Of one pixel of the screen, as `#RRGGBB`.
    package func colour(x: Int, y: Int) throws -> String {
        let text = try run(
            "import",
            "-window",
            "root",
            "-crop",
            "1x1+\(x)+\(y)",
            "-depth",
            "8",
            "txt:-"
        )
        guard let start = text.lastIndex(of: "#") else { throw NotYet("no colour in \(text)") }
        return String(text[start...].prefix(7))
    }

    /// Numbers of the windows that are managed, in the order of `_NET_CLIENT_LIST`.
    package func clients() throws -> [UInt32] { try windows("_NET_CLIENT_LIST") }

    /// The window in front, as the window manager says; nil: none.
    package func activeWindow() throws -> UInt32? {
        try windows("_NET_ACTIVE_WINDOW").first { $0 != 0 }
    }

    /// Each kind of input is one program, so it is slow: hundreds of them belong into one call.
    package func xdotool(_ words: String...) throws { try run("xdotool", list: words) }

    private func windows(_ property: String) throws -> [UInt32] {
        let text = try run("xprop", "-root", property)
        guard let hash = text.firstIndex(of: "#") else { return [] }
        return text[text.index(after: hash)...].split { $0 == "," || $0 == " " || $0 == "\n" }
            .compactMap { $0.hasPrefix("0x") ? UInt32($0.dropFirst(2), radix: 16) : nil }
    }
}
