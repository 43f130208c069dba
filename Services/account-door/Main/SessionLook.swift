import STDBus
import STPlatform

/// Asks logind whether a person sits in a session of an account.
actor SessionLook {
    private static let logind = "org.freedesktop.login1"
    private static let deadlineMs: Int64 = 5_000
    /// More than one account has.
    private static let sessionsMax = 64

    private let uid: UInt32
    private var bus: DBusConnection?

    init(uid: UInt32) { self.uid = uid }

    /// A session in front of a person or from elsewhere, neither locked nor idle; nil where logind does not say.
    func isUsed() async -> Bool? {
        do {
            let bus = try bus ?? DBusConnection(address: DBusAddress.system(ProcessEnvironment.current()))
            self.bus = bus
            let list = try await bus.call(
                DBusCall(Self.logind, "/org/freedesktop/login1", "\(Self.logind).Manager", "ListSessions"),
                withinMs: Self.deadlineMs
            )
            for session in (list.first?.elements ?? []).prefix(Self.sessionsMax) {
                guard let fields = session.elements, fields.count == 5, fields[1].number == Int64(uid),
                    let path = fields[4].text
                else { continue }
                if try await isUsed(path, bus) { return true }
            }
            return false
        } catch {
            bus?.drop()
            bus = nil
            return nil
        }
    }

    private func isUsed(_ path: String, _ bus: DBusConnection) async throws -> Bool {
        let found = try await bus.call(
            DBusCall(
                Self.logind,
                path,
                "org.freedesktop.DBus.Properties",
                "GetAll",
                [.string("\(Self.logind).Session")]
            ),
            withinMs: Self.deadlineMs
        )
        guard let session = found.first else { return false }
        return session["Class"]?.text == "user" && session["State"]?.text == "active"
            && session["LockedHint"]?.flag != true && session["IdleHint"]?.flag != true
    }
}
