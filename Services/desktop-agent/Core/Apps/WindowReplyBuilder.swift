package import STContracts
package import STDesktop
package import STPlatform

/// Builds the replies of `desktop.windows`: first the foreground window, then the visible windows, then the others.
package enum WindowReplyBuilder {
    /// A value of `window` that means the foreground window. It replaces an id.
    package static let foregroundID = "front"
    private static let windowBytesMax = 64

    /// Returns one page of windows, or the one window that the request names.
    ///
    /// `neverPaused` returns the reason why an app is never paused, or nil if it may be paused.
    package static func page(
        _ request: DesktopWindows.Request,
        scene: DesktopModel,
        neverPaused: (AppIdentity) -> Message? = { _ in nil }
    ) throws(Problem) -> DesktopWindows.Reply {
        let limit = try AppsPaging.limit(request.limit, max: DesktopWindows.limitMax)
        if let text = request.window {
            let window = try window(text, scene)
            return DesktopWindows.Reply(windows: [view(window, scene: scene, neverPaused: neverPaused)])
        }
        let start = try start(request.next)
        let all = scene.windows.values.sorted { order($0, scene) < order($1, scene) }
        var views: [WindowView] = []
        var bytes = 0
        for seen in all.dropFirst(start).prefix(limit) {
            let view = view(seen, scene: scene, neverPaused: neverPaused)
            // A character of a title may take six bytes in the encoded reply.
            bytes += (view.title?.utf8.count ?? 0) * 6 + (view.neverPaused?.replyBytes ?? 0) + 512
            bytes += view.steps.reduce(0) { $0 + $1.replyBytes }
            if bytes > BusLimits.pageBytes, !views.isEmpty { break }
            views.append(view)
        }
        let end = start + views.count
        return DesktopWindows.Reply(
            windows: views,
            next: end < all.count && !views.isEmpty ? String(end) : nil
        )
    }

    private static func start(_ next: String?) throws(Problem) -> Int {
        guard let next else { return 0 }
        guard let start = Int(next), (0...DesktopModel.windowsMax).contains(start) else {
            throw AppsPaging.bad
        }
        return start
    }

    private static func window(_ text: String, _ scene: DesktopModel) throws(Problem) -> IdentifiedWindow {
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard !text.isEmpty, text.utf8.count <= windowBytesMax, isPlain else {
            throw Problem(
                "window.bad_id",
                "The id of a window has the form x11:0x1a00003 or wl:12. For the foreground window, write front.",
                field: "/window"
            )
        }
        if text == foregroundID {
            guard let id = scene.focusedWindow, let seen = scene.windows[id] else {
                throw Problem(
                    "window.none_in_front",
                    "There is no foreground window at this moment.",
                    field: "/window"
                )
            }
            return seen
        }
        guard let seen = scene.windows[WindowID(text)] else {
            throw Problem(
                "window.not_found",
                "There is no window \(text, "text") on the screen; it may have been closed.",
                key: "window.not_found.there-is-no",
                field: "/window"
            )
        }
        return seen
    }

    private static func order(_ seen: IdentifiedWindow, _ scene: DesktopModel) -> (Int, String) {
        let id = seen.window.id
        let rank = id == scene.focusedWindow ? 0 : seen.window.isChrome ? 3 : seen.window.isShown ? 1 : 2
        return (rank, id.rawValue)
    }

    private static func view(
        _ seen: IdentifiedWindow,
        scene: DesktopModel,
        neverPaused: (AppIdentity) -> Message?
    ) -> WindowView {
        let window = seen.window
        let steps =
            window.isChrome && seen.app == nil
            ? [
                Message(
                    "agent.window-is-of-desktop",
                    "It is a part of the desktop itself, such as a panel or a notification, and not an app."
                )
            ] : []
        return WindowView(
            window: window.id.rawValue,
            title: window.title,
            app: seen.app?.id,
            name: seen.app?.name,
            clue: seen.app?.clue,
            steps: seen.app?.steps ?? steps,
            pid: (window.pid ?? window.claimedPid).map(Int64.init),
            isInFront: window.id == scene.focusedWindow,
            isShown: window.isShown,
            neverPaused: seen.app.flatMap(neverPaused)
        )
    }
}

extension Message {
    /// The approximate size of the message in a reply, in bytes, with its key and its values.
    var replyBytes: Int {
        values.reduce(80 + key.utf8.count + 2 * english.utf8.count) {
            $0 + $1.key.utf8.count + $1.value.replyBytes
        }
    }
}

extension MessageValue {
    fileprivate var replyBytes: Int {
        switch self {
        case .text(let text): 2 * text.utf8.count
        case .duration: 30
        case .message(let message): message.replyBytes
        case .list(let values): values.reduce(10) { $0 + $1.replyBytes }
        }
    }
}
