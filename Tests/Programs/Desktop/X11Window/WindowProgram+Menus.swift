import Glibc
import STCScreen

extension WindowProgram {
    /// A menu as toolkits have it: a window that nobody manages, which holds pointer and keyboard while it is open.
    func menu(_ words: [String]) -> String? {
        switch words.first {
        case "open": return openMenu()
        case "close":
            xcb_ungrab_pointer(connection, 0)
            xcb_ungrab_keyboard(connection, 0)
            if let menu { xcb_destroy_window(connection, menu) }
            menu = nil
            return ""
        default: return nil
        }
    }

    private func openMenu() -> String? {
        let id = xcb_generate_id(connection)
        xcb_create_window(
            connection,
            screen.root_depth,
            id,
            root,
            100,
            100,
            120,
            200,
            1,
            UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue),
            screen.root_visual,
            XCB_CW_BACK_PIXEL.rawValue | XCB_CW_OVERRIDE_REDIRECT.rawValue,
            [UInt32(0xDDDDDD), 1]
        )
        xcb_map_window(connection, id)
        menu = id
        let isAsync = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
        let events = UInt16(XCB_EVENT_MASK_BUTTON_PRESS.rawValue)
        let pointer = xcb_grab_pointer_reply(
            connection,
            xcb_grab_pointer(connection, 1, id, events, isAsync, isAsync, 0, 0, 0),
            nil
        )
        let keys = xcb_grab_keyboard_reply(
            connection,
            xcb_grab_keyboard(connection, 1, id, 0, isAsync, isAsync),
            nil
        )
        defer {
            free(pointer)
            free(keys)
        }
        return "\(pointer?.pointee.status ?? 255) \(keys?.pointee.status ?? 255)"
    }

    /// Windows that are there for less than a millisecond.
    func storm(_ words: [String]) -> String? {
        guard let count = words.first.flatMap({ Int($0) }) else { return nil }
        for index in 0..<count {
            _ = answer("map storm-\(index) Storm 10 10 50 50")
            let number = last
            // Some are seen by the window manager first, some never.
            if index % 3 == 0 {
                free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nil))
            }
            _ = answer("\(number) destroy")
            takeEvents()
        }
        return ""
    }
}
