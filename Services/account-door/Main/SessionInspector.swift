import STAccountDoorCore
import STDBus
import STPlatform

/// Requests from logind the sessions of an account that a person uses.
actor SessionInspector {
    private static let logind = "org.freedesktop.login1"
    private static let manager = "/org/freedesktop/login1"
    private static let properties = "org.freedesktop.DBus.Properties"
    private static let timeout = Duration.seconds(5)
    /// More sessions than an account has.
    private static let sessionsMax = 64

    private let uid: UInt32
    private var bus: DBusConnection?

    init(uid: UInt32) { self.uid = uid }

    /// Returns the sessions at the screen and the remote sessions. Returns `nil` if logind does not reply.
    func usedSessions() async -> [UsedSession]? {
        do {
            let bus = try bus ?? DBusConnection(address: DBusAddress.system(ProcessEnvironment.current()))
            self.bus = bus
            let list = try await call(
                Self.manager,
                interface: "\(Self.logind).Manager",
                member: "ListSessions",
                on: bus
            )
            var found: [UsedSession] = []
            for session in (list.first?.elements ?? []).prefix(Self.sessionsMax) {
                guard let fields = session.elements, fields.count == 5, fields[1].number == Int64(uid),
                    let path = fields[4].text
                else { continue }
                if let session = try await usedSession(path, bus) { found.append(session) }
            }
            guard !found.isEmpty, let display = try await display(bus) else { return found }
            return found.map { session in
                var session = session
                session.isOther = session.path != display
                return session
            }
        } catch {
            bus?.closeWithoutFlush()
            bus = nil
            return nil
        }
    }

    /// Requests the desktop of a session to lock its screen. A desktop without a lock does nothing.
    func lock(_ session: UsedSession) async throws {
        guard let bus else { return }
        _ = try await call(session.path, interface: "\(Self.logind).Session", member: "Lock", on: bus)
    }

    private func call(
        _ path: String,
        interface: String,
        member: String,
        arguments: [DBusValue] = [],
        on bus: DBusConnection
    ) async throws -> [DBusValue] {
        let call = DBusCall(
            Self.logind,
            path: path,
            interface: interface,
            member: member,
            arguments: arguments
        )
        return try await bus.call(call, withinMs: Self.timeout.ms)
    }

    /// Returns the account's desktop, which the agent observes. An account may start further ones.
    private func display(_ bus: DBusConnection) async throws -> String? {
        let user = try await call(
            Self.manager,
            interface: "\(Self.logind).Manager",
            member: "GetUser",
            arguments: [.uint32(uid)],
            on: bus
        )
        guard let path = user.first?.text else { return nil }
        let words: [DBusValue] = [.string("\(Self.logind).User"), .string("Display")]
        let found = try await call(path, interface: Self.properties, member: "Get", arguments: words, on: bus)
        guard let pair = found.first?.elements, pair.count == 2 else { return nil }
        return pair[1].text == "/" ? nil : pair[1].text
    }

    private func usedSession(_ path: String, _ bus: DBusConnection) async throws -> UsedSession? {
        let words: [DBusValue] = [.string("\(Self.logind).Session")]
        let found = try await call(
            path,
            interface: Self.properties,
            member: "GetAll",
            arguments: words,
            on: bus
        )
        guard let session = found.first, session["Class"]?.text == "user",
            session["State"]?.text == "active"
        else { return nil }
        let type = session["Type"]?.text
        return UsedSession(
            path: path,
            isText: type == "tty",
            isOnSeat: session["Seat"]?.elements?.first?.text?.isEmpty == false,
            // A console has no screen lock.
            isAtRest: type != "tty" && session["LockedHint"]?.flag == true
                || session["IdleHint"]?.flag == true,
            isX11: type == "x11"
        )
    }
}
