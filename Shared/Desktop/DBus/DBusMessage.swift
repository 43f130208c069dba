/// A signal that was heard, or a call that somebody made to us.
package struct DBusMessage: Sendable, Equatable {
    /// The unique name of whoever sent it, such as `:1.42`.
    package var sender: String
    package var path: String
    package var interface: String
    package var member: String
    package var arguments: [DBusValue]
}

/// A method of somebody else.
package struct DBusCall: Sendable, Equatable {
    package var destination: String
    package var path: String
    package var interface: String
    package var member: String
    package var arguments: [DBusValue]

    package init(
        _ destination: String,
        _ path: String,
        _ interface: String,
        _ member: String,
        _ arguments: [DBusValue] = []
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }
}
