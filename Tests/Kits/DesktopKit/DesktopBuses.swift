package import STTestSupport

/// The two buses of a desktop.
package final class DesktopBuses {
    package let session: SessionBus
    package let system: SessionBus

    /// The rules go into the policy of the session's bus.
    package init(_ scratch: ScratchDirectory, rules: String = "") throws {
        session = try SessionBus(scratch, name: "session-bus", rules: rules)
        system = try SessionBus(scratch, name: "system-bus")
    }

    /// What a program needs in order to find both.
    package var environment: [String: String] {
        ["DBUS_SESSION_BUS_ADDRESS": session.address, "DBUS_SYSTEM_BUS_ADDRESS": system.address]
    }

    package func stop() {
        session.stop()
        system.stop()
    }
}
