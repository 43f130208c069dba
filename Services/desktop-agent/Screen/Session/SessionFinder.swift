package import STContracts
import STDBus
import STPlatform

/// Finds the logind session of the screen.
struct SessionFinder: Sendable {
    let environment: [String: String]
    let pid: Int32
    let uid: UInt32

    /// Returns `nil` if logind does not run, or has no session of this user.
    func find(_ bus: DBusConnection) async throws -> LoginSession? {
        let dbus = "org.freedesktop.DBus"
        do {
            // The bus is queried first, so that no call starts logind.
            _ = try await bus.call(
                .init(
                    dbus,
                    path: "/org/freedesktop/DBus",
                    interface: dbus,
                    member: "GetNameOwner",
                    arguments: [.string(LogindWatch.name)]
                ),
                withinMs: LogindWatch.timeout.ms
            )
        } catch let problem as Problem where problem.code == "dbus.refused" {
            return nil
        }
        // On a protected computer, the account's graphical session counts, wherever this program was started from.
        if ProcessEnvironment.isPrivileged {
            guard let path = await display(bus) else { return nil }
            return await check(bus, path)
        }
        if let path = await manager(bus, member: "GetSessionByPID", argument: .uint32(UInt32(clamping: pid))),
            let session = await check(bus, path)
        {
            return session
        }
        if let id = environment["XDG_SESSION_ID"], !id.isEmpty,
            let path = await manager(bus, member: "GetSession", argument: .string(id)),
            let session = await check(bus, path)
        {
            return session
        }
        guard let path = await display(bus) else { return nil }
        return await check(bus, path)
    }

    private func manager(_ bus: DBusConnection, member: String, argument: DBusValue) async -> String? {
        let reply = try? await bus.call(
            .init(
                LogindWatch.name,
                path: LogindWatch.root,
                interface: LogindWatch.manager,
                member: member,
                arguments: [argument]
            ),
            withinMs: LogindWatch.timeout.ms
        )
        return reply?.first?.text
    }

    private func display(_ bus: DBusConnection) async -> String? {
        guard let user = await manager(bus, member: "GetUser", argument: .uint32(uid)) else { return nil }
        let properties = try? await LogindWatch.properties(
            bus,
            path: user,
            interface: "org.freedesktop.login1.User"
        )
        guard let pair = properties?["Display"]?.elements, pair.count == 2, let path = pair[1].text,
            path != "/"
        else { return nil }
        return path
    }

    /// Returns `nil` for another user's session, because an inherited session ID can be wrong.
    private func check(_ bus: DBusConnection, _ path: String) async -> LoginSession? {
        guard path.hasPrefix("\(LogindWatch.root)/session/"),
            let facts = try? await LogindWatch.properties(
                bus,
                path: path,
                interface: LogindWatch.sessionInterface
            ),
            facts["User"]?.elements?.first?.number == Int64(uid), facts["State"]?.text != "closing"
        else { return nil }
        return LoginSession(
            id: ReceivedText.sanitized(facts["Id"]?.text) ?? path,
            path: path,
            type: facts["Type"]?.text ?? "",
            display: facts["Display"]?.text ?? ""
        )
    }
}

/// The logind session of the screen.
package struct LoginSession: Sendable, Equatable {
    package var id: String
    var path: String
    /// `x11`, `wayland` or `tty`.
    var type: String
    /// The X display of the login. Empty if there is none or logind does not report it.
    var display: String

    package init(id: String, path: String, type: String = "", display: String = "") {
        self.id = id
        self.path = path
        self.type = type
        self.display = display
    }

    /// Returns true if the adapter's display can be the screen of this session. An account can also start other displays.
    package func matches(_ kind: AdapterKind, _ signs: ScreenProbeResult) -> Bool {
        switch type {
        case "x11":
            kind == .x11
                && (display.isEmpty || Self.number(display) == signs.x11.map { Self.number($0.display) })
        case "wayland": kind != .x11
        default: true
        }
    }

    /// Returns `:0` for `:0.0`.
    private static func number(_ display: String) -> Substring {
        display.drop { $0 != ":" }.prefix { $0 != "." }
    }
}
