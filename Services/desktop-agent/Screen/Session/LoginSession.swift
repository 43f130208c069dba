/// The session of logind that the screen belongs to.
package struct LoginSession: Sendable, Equatable {
    package var id: String
    package var path: String
    /// `x11`, `wayland`, `tty`.
    package var type: String
    /// Empty for one without a seat, such as one from afar.
    package var seat: String
    /// How it was found, as a sentence.
    package var found: String

    package init(id: String, path: String, type: String, seat: String, found: String) {
        self.id = id
        self.path = path
        self.type = type
        self.seat = seat
        self.found = found
    }
}
