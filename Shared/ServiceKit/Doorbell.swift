/// Says that something may have changed; rings while nobody listens are one ring.
package final class Doorbell: Sendable {
    package let rings: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (rings, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func ring() { continuation.yield() }
}
