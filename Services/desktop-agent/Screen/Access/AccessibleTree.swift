import STDesktop

/// All shown panes, as objects of one accessible application. Performs no I/O.
struct AccessibleTree {
    static let root = "/org/a11y/atspi/accessible/root"
    static let null = "/org/a11y/atspi/null"
    static let prefix = "/org/a11y/atspi"
    static let cache = "/org/a11y/atspi/cache"
    /// Upper bound on presented panes. Further panes are left out.
    static let panesMax = 64

    private struct Shown {
        var number: Int
        var pane: AccessiblePane
        var focus: String?
    }

    private var shown: [Shown] = []
    private var lastNumber = 0

    var isEmpty: Bool { shown.isEmpty }
    var panes: [PaneID] { shown.map(\.pane.id) }

    /// Adds a pane, or updates it if it is already shown.
    mutating func show(_ pane: AccessiblePane) {
        if let index = shown.firstIndex(where: { $0.pane.id == pane.id }) {
            shown[index].pane = pane
            if !pane.spots.contains(where: { $0.id == shown[index].focus }) { shown[index].focus = nil }
        } else if shown.count < Self.panesMax {
            lastNumber += 1
            shown.append(Shown(number: lastNumber, pane: pane))
        }
    }

    mutating func close(_ pane: PaneID) { shown.removeAll { $0.pane.id == pane } }

    /// Moves the keyboard focus to a button of this pane. `nil` means none of its buttons. Only one pane can have the focus.
    mutating func focus(_ pane: PaneID, _ spot: String?) {
        for index in shown.indices { shown[index].focus = shown[index].pane.id == pane ? spot : nil }
    }

    func path(of pane: PaneID) -> String? {
        shown.first { $0.pane.id == pane }.map { path($0) }
    }

    /// The path of the button with the keyboard focus.
    var focusPath: String? {
        for entry in shown {
            if let index = entry.pane.spots.firstIndex(where: { $0.id == entry.focus }) {
                return "\(path(entry))/\(index)"
            }
        }
        return nil
    }

    private func path(_ entry: Shown) -> String { "/org/a11y/atspi/accessible/\(entry.number)" }

    /// All objects, parents before their children.
    var objects: [AccessibleObject] {
        var list = [
            AccessibleObject(
                path: Self.root,
                parent: nil,
                index: 0,
                children: shown.map { path($0) },
                role: .application,
                name: "Screen Time",
                description: "",
                frame: ScreenRect(x: 0, y: 0, width: 0, height: 0),
                states: [.enabled, .sensitive, .showing, .visible]
            )
        ]
        for (index, entry) in shown.enumerated() { list += objects(entry, index) }
        return list
    }

    private func objects(_ entry: Shown, _ index: Int) -> [AccessibleObject] {
        let here = path(entry)
        let pane = entry.pane
        let dialog = AccessibleObject(
            path: here,
            parent: Self.root,
            index: index,
            children: pane.spots.indices.map { "\(here)/\($0)" },
            role: .dialog,
            name: pane.title,
            description: pane.subtitle,
            frame: pane.frame,
            states: entry.focus == nil
                ? [.enabled, .sensitive, .showing, .visible]
                : [.active, .enabled, .sensitive, .showing, .visible]
        )
        let buttons = pane.spots.enumerated().map { number, spot in
            AccessibleObject(
                path: "\(here)/\(number)",
                parent: here,
                index: number,
                children: [],
                role: .button,
                name: spot.name,
                description: "",
                frame: spot.frame,
                states: spot.id == entry.focus
                    ? [.enabled, .focusable, .focused, .sensitive, .showing, .visible]
                    : [.enabled, .focusable, .sensitive, .showing, .visible],
                press: (pane.id, spot.id)
            )
        }
        return [dialog] + buttons
    }
}

/// One object of the accessible tree.
struct AccessibleObject {
    /// Raw values of AtspiRole in libatspi.
    enum Role: UInt32 {
        case application = 75
        case dialog = 16
        case button = 43

        var name: String {
            switch self {
            case .application: "application"
            case .dialog: "dialog"
            case .button: "push button"
            }
        }
    }

    /// Raw values of AtspiStateType in libatspi.
    enum State: UInt64 {
        case active = 1
        case enabled = 8
        case focusable = 11
        case focused = 12
        case sensitive = 24
        case showing = 25
        case visible = 30
    }

    var path: String
    var parent: String?
    var index: Int
    var children: [String]
    var role: Role
    var name: String
    var description: String
    var frame: ScreenRect
    var states: Set<State>
    /// The pane and spot to press. `nil` if the object cannot be pressed.
    var press: (pane: PaneID, spot: String)?

    var interfaces: [String] {
        var names = ["org.a11y.atspi.Accessible"]
        if role == .application { return names + ["org.a11y.atspi.Application"] }
        names.append("org.a11y.atspi.Component")
        if press != nil { names.append("org.a11y.atspi.Action") }
        return names
    }
}
