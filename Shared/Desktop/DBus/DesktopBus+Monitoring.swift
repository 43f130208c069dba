import STCSystemd
import STPlatform

/// To look at what others say to each other, where the bus allows it.
extension DesktopBus {
    /// Hears every message between others that matches one of the rules, from when this has returned.
    ///
    /// For a connection that was made for it: nothing else can be done with it any more. `heard` runs on the
    /// connection's own thread and is given a message that it may read while it runs, and not keep. Throws
    /// `dbus.refused` where the bus does not let anybody look.
    package func becomeMonitor(
        rules: [String],
        withinMs deadlineMs: Int64,
        _ heard: @escaping @Sendable (SeenMessage) -> Void
    ) async throws {
        let seen = Seen(heard)
        seen.listener.owner = seen
        try await with { bus throws(Problem) in
            let code = sd_bus_add_filter(
                bus,
                &seen.listener.slot,
                Seen.onMessage,
                Unmanaged.passUnretained(seen).toOpaque()
            )
            try MessageWriter.check(code, "add_filter")
            self.keep(seen.listener)
        }
        let bus = "org.freedesktop.DBus"
        let call = DBusCall(
            bus,
            "/org/freedesktop/DBus",
            "\(bus).Monitoring",
            "BecomeMonitor",
            [.strings(rules), .uint32(0)]
        )
        _ = try await self.call(call, withinMs: deadlineMs)
    }
}

/// A filter that sd-bus calls with whatever comes.
private final class Seen: @unchecked Sendable {
    // @unchecked: touched on the connection's thread only.
    private let heard: @Sendable (SeenMessage) -> Void
    let listener = DesktopBus.Listener()

    init(_ heard: @escaping @Sendable (SeenMessage) -> Void) { self.heard = heard }

    /// Says of everything that it is dealt with: sd-bus would answer calls between others, and be thrown out for it.
    static let onMessage: sd_bus_message_handler_t = { message, userdata, _ in
        guard let message, let userdata, sd_bus_message_is_method_call(message, nil, nil) > 0 else {
            return 1
        }
        Unmanaged<Seen>.fromOpaque(userdata).takeUnretainedValue().heard(SeenMessage(message))
        return 1
    }
}
