/// A file for systemd: its name, and all that is in it.
package struct UnitFile: Sendable, Equatable {
    package var name: String
    package var text: String
}
