import STDesktop

/// One object of the tree that assistive technology walks through.
struct AccessibleObject {
    /// Numbers as libatspi has them in its AtspiRole.
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

    /// Bits as libatspi has them in its AtspiStateType.
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
    /// What a press means; nil: it cannot be pressed.
    var press: (pane: PaneID, spot: String)?

    var interfaces: [String] {
        var names = ["org.a11y.atspi.Accessible"]
        if role == .application { return names + ["org.a11y.atspi.Application"] }
        names.append("org.a11y.atspi.Component")
        if press != nil { names.append("org.a11y.atspi.Action") }
        return names
    }
}
