/// How far this service has applied one stream of another.
package struct StreamCursor: Sendable, Equatable {
    package var source: String
    package var stream: String
    package var position: StreamPosition

    package init(source: String, stream: String, position: StreamPosition) {
        self.source = source
        self.stream = stream
        self.position = position
    }
}
