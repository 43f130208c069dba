package import STContracts
package import STPlatform

/// Something that a built-in rule asks of a service.
package struct OutgoingRequest: Sendable, Equatable {
    package var route: String
    package var body: [UInt8]
    /// Of its own, where others may come to ask the same; else made from the delivery and its place in it.
    package var key: String?

    package init(route: String, body: [UInt8]) {
        self.route = route
        self.body = body
    }

    package init<R: Route>(_ route: R.Type, _ request: R.Request) throws {
        self.init(route: R.name, body: try request.encodedBody())
    }
}

/// Who takes the callbacks of the app `screentime.rules`: rules that people make without writing code.
///
/// It only says what is to be asked, in order; whoever runs it asks, and asks again after a failure with the same keys.
/// So it must say the same for the same delivery.
package protocol BuiltInDeliveries: Sendable {
    func deliver(_ delivery: Delivery) async throws -> [OutgoingRequest]

    /// What came of a request that has a key of its own; nil is that it was done.
    func answered(_ request: OutgoingRequest, _ problem: Problem?) async throws

    /// Something in the service may have changed; returns at once.
    func look() async

    func stop() async
}
