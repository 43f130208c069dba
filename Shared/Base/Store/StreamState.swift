/// The row of a stream.
struct StreamState {
    var head: StreamHead
    /// The lowest cursor that can be served.
    var trimmed: Int64

    /// From the columns stream, epoch, head, trimmed and the id of the newest event.
    init(_ row: borrowing Row) throws {
        head = StreamHead(
            stream: try row.text(0),
            epoch: try row.text(1),
            sequence: try row.int(2),
            id: try row.optionalText(4)
        )
        trimmed = try row.int(3)
    }
}
