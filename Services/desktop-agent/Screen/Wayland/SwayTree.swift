import STContracts
import STDesktop

/// Parses the reply of sway's `get_tree`.
extension WindowTree {
    /// Upper bound on the nesting of the JSON. Each level of containers takes two.
    static let swayDepth = 200
    private static let swayFloatingMax = 256

    init(sway bytes: [UInt8]) throws {
        let root = try JSONElement(bytes, depthLimit: Self.swayDepth)
        self.init()
        add(root, floating: nil, isAway: false)
        windows.sort { $0.container < $1.container }
        let focused = Self.focused(root)
        // While a layer surface has the keyboard, no node is focused, but the focus order stays unchanged.
        foreground = focused?["type"]?.string == "workspace" ? nil : Self.leaf(focused ?? root)
        keyboardFocus = focused == nil ? nil : foreground
    }

    private mutating func add(_ node: JSONElement, floating place: Int?, isAway: Bool) {
        let isAway = isAway || node["name"]?.string == "__i3_scratch"
        if let window = Self.window(node, floating: place, isAway: isAway) {
            guard windows.count < Self.windowsMax else { return }
            windows.append(window)
        }
        for child in node["nodes"]?.elements ?? [] { add(child, floating: place, isAway: isAway) }
        for child in node["floating_nodes"]?.elements ?? [] {
            guard floating.count < Self.swayFloatingMax else {
                return add(child, floating: place, isAway: isAway)
            }
            floating.append(ScreenRect(x: 0, y: 0, width: 0, height: 0))
            let index = floating.count - 1
            let before = windows.count
            add(child, floating: index, isAway: isAway)
            if windows[before...].contains(where: \.isVisible) { floating[index] = Self.outer(child) }
        }
    }

    /// Returns the rectangle with the title bar, which the node's `rect` does not include.
    private static func outer(_ node: JSONElement) -> ScreenRect {
        var rect = rect(node["rect"])
        let bar = Self.rect(node["deco_rect"]).height
        rect.y -= bar
        rect.height += bar
        return rect
    }

    private static func window(_ node: JSONElement, floating: Int?, isAway: Bool) -> TreeWindow? {
        guard let container = node["id"]?.integer, let type = node["type"]?.string,
            type == "con" || type == "floating_con", node["nodes"]?.elements.isEmpty ?? true,
            node["pid"] != nil
        else { return nil }
        let rect = rect(node["rect"])
        let inner = Self.rect(node["window_rect"])
        let content = ScreenRect(
            x: rect.x + inner.x,
            y: rect.y + inner.y,
            width: inner.width,
            height: inner.height
        )
        return TreeWindow(
            container: container,
            appID: (node["app_id"]?.string ?? node["window_properties"]?["class"]?.string).map(
                TextSanitizer.sanitized
            ),
            title: node["name"]?.string.map(TextSanitizer.sanitized),
            pid: node["pid"]?.integer.flatMap { $0 > 0 ? Int32(exactly: $0) : nil },
            content: content,
            isVisible: (node["visible"]?.bool ?? true) && !isAway,
            isFullscreen: (node["fullscreen_mode"]?.integer ?? 0) > 0,
            isHidden: isAway,
            floating: floating
        )
    }

    private static func rect(_ node: JSONElement?) -> ScreenRect {
        func number(_ key: String) -> Int { bounded(node?[key]?.integer) }
        return ScreenRect(
            x: number("x"),
            y: number("y"),
            width: max(0, number("width")),
            height: max(0, number("height"))
        )
    }

    // MARK: - Foreground

    private static func focused(_ node: JSONElement) -> JSONElement? {
        if node["focused"]?.bool == true { return node }
        for key in ["nodes", "floating_nodes"] {
            for child in node[key]?.elements ?? [] {
                if let found = focused(child) { return found }
            }
        }
        return nil
    }

    /// Follows the focus order down to the window.
    private static func leaf(_ start: JSONElement) -> Int64? {
        var node = start
        while true {
            let children = (node["nodes"]?.elements ?? []) + (node["floating_nodes"]?.elements ?? [])
            guard !children.isEmpty else {
                return node["pid"] != nil ? node["id"]?.integer : nil
            }
            let next = node["focus"]?.elements.first?.integer
            guard let child = children.first(where: { $0["id"]?.integer == next }) else { return nil }
            node = child
        }
    }
}
