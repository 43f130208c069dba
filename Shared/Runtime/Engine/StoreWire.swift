package import STContracts
package import STStore

extension WireEvent {
    /// The stored row as it travels.
    package init(_ stored: StoredEvent, source: String) {
        self.init(
            header: EventHeader(
                id: stored.id,
                source: source,
                type: stored.type,
                timeMs: stored.timeMs,
                subject: stored.subject,
                schema: Int64(stored.schema),
                stream: StreamName(stored.stream),
                epoch: stored.epoch,
                sequence: stored.sequence,
                traceparent: stored.traceparent,
                cause: stored.cause
            ),
            body: stored.body
        )
    }
}

extension StreamPoint {
    package init(_ head: StreamHead) {
        self.init(stream: head.stream, epoch: head.epoch, sequence: head.sequence, id: head.id)
    }
}
