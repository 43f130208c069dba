package import STDBus
package import STTestSupport

/// A logind played by python3-dbusmock, with additions that its template lacks (`LogindTemplate`).
package final class LogindMock: Sendable {
    private static let login = "org.freedesktop.login1"
    private static let manager = "org.freedesktop.login1.Manager"
    private static let session = "org.freedesktop.login1.Session"
    private static let root = "/org/freedesktop/login1"

    package let peer: MockPeer

    package static var isAvailable: Bool { MockPeer.isAvailable }

    /// Starts a logind without sessions. A second one can be started after the first was killed.
    package init(_ bus: SessionBus, _ scratch: ScratchDirectory) async throws {
        try scratch.write(LogindTemplate.text, to: "logind_more.py")
        peer = try await MockPeer(
            bus,
            name: Self.login,
            path: Self.root,
            arguments: ["--system", "--template", scratch.file("logind_more.py")],
            output: scratch.file("logind.log")
        )
        // The name exists before the template is loaded. The template adds this property last.
        _ = try await eventually("the template is loaded") {
            try await peer.call(
                "Get",
                [.string(Self.manager), .string("DelayInhibited")],
                interface: "org.freedesktop.DBus.Properties"
            )
        }
    }

    package func kill() { peer.kill() }

    // MARK: - Sessions

    package static func path(of session: String) -> String { "\(root)/session/\(session)" }

    package static func path(ofUser uid: UInt32) -> String { "\(root)/user/\(uid)" }

    /// Adds a session. `pid` is one of its processes, for `GetSessionByPID`. `nil` if no test needs it.
    package func addSession(
        _ id: String,
        uid: UInt32,
        seat: String = "seat0",
        type: String = "x11",
        isActive: Bool = true,
        pid: Int32? = nil
    ) async throws {
        try await peer.call(
            "AddSession",
            [.string(id), .string(seat), .uint32(uid), .string("user\(uid)"), .bool(isActive)]
        )
        try await set(id, [("Type", .string(type))])
        if let pid {
            try await peer.call("SetSessionOfPID", [.uint32(UInt32(pid)), .string(id)])
        }
        try await peer.emit(
            Self.manager,
            member: "SessionNew",
            signature: "so",
            arguments: [.string(id), .objectPath(Self.path(of: id))]
        )
    }

    package func removeSession(_ id: String) async throws {
        try await peer.call("RemoveObject", [.string(Self.path(of: id))])
        try await peer.emit(
            Self.manager,
            member: "SessionRemoved",
            signature: "so",
            arguments: [.string(id), .objectPath(Self.path(of: id))]
        )
    }

    /// Sets the graphical session of a user, for programs that belong to no session themselves.
    package func setDisplay(ofUser uid: UInt32, _ id: String) async throws {
        try await peer.call("SetDisplay", [.uint32(uid), .string(id)])
    }

    /// Changes properties of a session, and emits the signal.
    package func set(_ id: String, _ properties: [(key: String, value: DBusValue)]) async throws {
        try await peer.update(Self.session, properties, path: Self.path(of: id))
    }

    package func setLocked(_ id: String, _ isLocked: Bool) async throws {
        try await set(id, [("LockedHint", .bool(isLocked))])
    }

    package func setActive(_ id: String, _ isActive: Bool) async throws {
        try await set(id, [("Active", .bool(isActive)), ("State", .string(isActive ? "active" : "online"))])
    }

    /// Emits the signal of `loginctl lock-session`, which locks nothing by itself.
    package func lock(_ id: String) async throws {
        try await peer.call("Lock", path: Self.path(of: id), interface: Self.session)
    }

    package func unlock(_ id: String) async throws {
        try await peer.call("Unlock", path: Self.path(of: id), interface: Self.session)
    }

    // MARK: - Sleep and inhibitors

    /// Emits the signal before sleep (true) or after waking (false).
    package func prepareForSleep(_ begins: Bool) async throws {
        try await peer.emit(
            Self.manager,
            member: "PrepareForSleep",
            signature: "b",
            arguments: [.bool(begins)]
        )
    }

    /// Adds an inhibitor without a holder. `release` ends it.
    package func hold(
        _ what: String,
        who: String,
        why: String,
        mode: String = "block",
        pid: Int32
    ) async throws {
        try await peer.call(
            "HoldInhibitor",
            [.string(what), .string(who), .string(why), .string(mode), .uint32(UInt32(pid))]
        )
    }

    package func release(who: String) async throws {
        try await peer.call("ReleaseInhibitor", [.string(who)])
    }

    /// Returns what, who and mode of all inhibitors, including those of real holders of a descriptor.
    package func inhibitors() async throws -> [(what: String, who: String, mode: String)] {
        let reply = try await peer.call("ListInhibitors", interface: Self.manager)
        return (reply.first?.elements ?? []).compactMap { entry in
            guard let fields = entry.elements, fields.count == 6, let what = fields[0].text,
                let who = fields[1].text, let mode = fields[3].text
            else { return nil }
            return (what, who, mode)
        }
    }
}
