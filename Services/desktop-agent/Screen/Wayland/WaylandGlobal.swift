/// What a compositor offers, as it calls it.
package struct WaylandGlobal: Sendable, Equatable {
    package var name: UInt32
    package var interface: String
    package var version: UInt32

    package init(name: UInt32, interface: String, version: UInt32) {
        self.name = name
        self.interface = interface
        self.version = version
    }
}
