/// One callback, from the host to the extension.
package struct ExtensionCall: WireBody, Codable, Equatable {
    /// The delivery: the same in every attempt.
    package var id: String
    /// From 1; more than that means that an earlier attempt may have done its work, or a part of it.
    package var attempt: Int64
    /// Apple's base name of the callback, such as `intervalDidStart`.
    package var method: String
    /// For a monitor a `MonitorCallBody`.
    package var body: JSONValue
    /// The wall clock of what led here: the moment at which the callback was due.
    package var wallMs: Int64
    /// How many real milliseconds the call may take, work begun in it included; 0 when nobody counts (a debugger).
    package var deadlineMs: Int64

    package init(
        id: String,
        attempt: Int64,
        method: String,
        body: JSONValue,
        wallMs: Int64,
        deadlineMs: Int64
    ) {
        self.id = id
        self.attempt = attempt
        self.method = method
        self.body = body
        self.wallMs = wallMs
        self.deadlineMs = deadlineMs
    }
}
