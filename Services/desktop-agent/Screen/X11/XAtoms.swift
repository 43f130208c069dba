import Glibc
import STCScreen

/// The server's atoms for the names that the adapter uses.
struct XAtoms {
    enum Name: String, CaseIterable {
        case activeWindow = "_NET_ACTIVE_WINDOW"
        case clientList = "_NET_CLIENT_LIST"
        case stacking = "_NET_CLIENT_LIST_STACKING"
        case supported = "_NET_SUPPORTED"
        case managerCheck = "_NET_SUPPORTING_WM_CHECK"
        case currentDesktop = "_NET_CURRENT_DESKTOP"
        case closeWindow = "_NET_CLOSE_WINDOW"
        case changeState = "WM_CHANGE_STATE"
        case protocols = "WM_PROTOCOLS"
        case deleteWindow = "WM_DELETE_WINDOW"
        case ping = "_NET_WM_PING"
        case wmState = "WM_STATE"
        case name = "_NET_WM_NAME"
        case pid = "_NET_WM_PID"
        case desktop = "_NET_WM_DESKTOP"
        case state = "_NET_WM_STATE"
        case stateHidden = "_NET_WM_STATE_HIDDEN"
        case stateFullscreen = "_NET_WM_STATE_FULLSCREEN"
        case stateAbove = "_NET_WM_STATE_ABOVE"
        case stateSkipTaskbar = "_NET_WM_STATE_SKIP_TASKBAR"
        case type = "_NET_WM_WINDOW_TYPE"
        case typeNormal = "_NET_WM_WINDOW_TYPE_NORMAL"
        case typeDialog = "_NET_WM_WINDOW_TYPE_DIALOG"
        case typeUtility = "_NET_WM_WINDOW_TYPE_UTILITY"
        case typeNotification = "_NET_WM_WINDOW_TYPE_NOTIFICATION"
        case typeDock = "_NET_WM_WINDOW_TYPE_DOCK"
        case typeDesktop = "_NET_WM_WINDOW_TYPE_DESKTOP"
        case typeSplash = "_NET_WM_WINDOW_TYPE_SPLASH"
        case typeToolbar = "_NET_WM_WINDOW_TYPE_TOOLBAR"
        case typeMenu = "_NET_WM_WINDOW_TYPE_MENU"
        case typeDropdown = "_NET_WM_WINDOW_TYPE_DROPDOWN_MENU"
        case typePopup = "_NET_WM_WINDOW_TYPE_POPUP_MENU"
        case typeTooltip = "_NET_WM_WINDOW_TYPE_TOOLTIP"
        case typeCombo = "_NET_WM_WINDOW_TYPE_COMBO"
        case typeDrag = "_NET_WM_WINDOW_TYPE_DND"
        case gtkApplication = "_GTK_APPLICATION_ID"
        case kdeDesktopFile = "_KDE_NET_WM_DESKTOP_FILE"
        case utf8 = "UTF8_STRING"
    }

    private var numbers: [Name: UInt32] = [:]

    init(_ connection: OpaquePointer) {
        let cookies = Name.allCases.map { name in
            (name, xcb_intern_atom(connection, 0, UInt16(name.rawValue.utf8.count), name.rawValue))
        }
        for (name, cookie) in cookies {
            guard let reply = xcb_intern_atom_reply(connection, cookie, nil) else { continue }
            numbers[name] = reply.pointee.atom
            free(reply)
        }
    }

    /// 0, which is not an atom, if the server could not create it.
    subscript(_ name: Name) -> UInt32 { numbers[name] ?? 0 }

    /// Types of windows that do not count as apps.
    var chrome: Set<UInt32> {
        Set(
            [
                .typeNotification, .typeDock, .typeDesktop, .typeSplash, .typeToolbar, .typeMenu,
                .typeDropdown, .typePopup, .typeTooltip, .typeCombo, .typeDrag,
            ].map { (name: Name) in self[name] }
        )
    }

    /// Types of app windows.
    var ordinary: Set<UInt32> { [self[.typeNormal], self[.typeDialog], self[.typeUtility]] }
}
