import Glibc
import STCScreen

/// The connection to the compositor, and the objects bound through it.
package final class Wire {
    package let display: OpaquePointer
    private var globals: [String: (name: UInt32, version: UInt32)] = [:]
    private var everything: [(interface: String, name: UInt32, version: UInt32)] = []
    private let registry: OpaquePointer

    package init?() {
        guard let display = wl_display_connect(nil), let registry = wl_display_get_registry(display) else {
            return nil
        }
        self.display = display
        self.registry = registry
        wl_registry_add_listener(registry, Self.listener, Unmanaged.passUnretained(self).toOpaque())
        wl_display_roundtrip(display)
    }

    package func bind(
        _ interface: String,
        version: UInt32,
        bind: (OpaquePointer?, UInt32, UInt32) -> OpaquePointer?
    ) -> OpaquePointer? {
        globals[interface].flatMap { bind(registry, $0.name, min(version, $0.version)) }
    }

    package func bindAll(
        _ interface: String,
        version: UInt32,
        bind: (OpaquePointer?, UInt32, UInt32) -> OpaquePointer?
    ) -> [OpaquePointer] {
        everything.filter { $0.interface == interface }
            .compactMap { bind(registry, $0.name, min(version, $0.version)) }
    }

    /// Performs commands until the compositor or the input ends.
    package func run(_ answer: (String) -> String?) {
        obeyCommands(beside: wl_display_get_fd(display)) {
            while wl_display_prepare_read(display) != 0 { wl_display_dispatch_pending(display) }
            wl_display_flush(display)
            return true
        } serve: { isReadable in
            if isReadable { wl_display_read_events(display) } else { wl_display_cancel_read(display) }
            if wl_display_dispatch_pending(display) >= 0 { return true }
            say("gone: \(Self.reason(display))")
            return false
        } _: {
            answer($0)
        }
    }

    /// Returns the compositor's reason for ending the connection.
    private static func reason(_ display: OpaquePointer) -> String {
        let code = wl_display_get_error(display)
        guard code == EPROTO else { return String(cString: strerror(code)) }
        var interface: UnsafePointer<wl_interface>?
        var id: UInt32 = 0
        let number = wl_display_get_protocol_error(display, &interface, &id)
        return "error \(number) of \(interface.map { String(cString: $0.pointee.name) } ?? "something")"
    }

    private nonisolated(unsafe) static let listener = keep(
        wl_registry_listener(
            global: { data, _, name, interface, version in
                guard let data, let interface else { return }
                let wire = Unmanaged<Wire>.fromOpaque(data).takeUnretainedValue()
                wire.everything.append((String(cString: interface), name, version))
                wire.globals[String(cString: interface)] = (name, version)
            },
            global_remove: { _, _, _ in }
        )
    )
}

/// Returns a table of functions for C, which is never freed.
package func keep<T>(_ listener: T) -> UnsafePointer<T> {
    let place = UnsafeMutablePointer<T>.allocate(capacity: 1)
    place.initialize(to: listener)
    return UnsafePointer(place)
}
