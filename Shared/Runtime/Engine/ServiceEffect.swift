package import STContracts
package import STPlatform

/// What the half of a service on the bus thread wants done.
package enum ServiceEffect: Sendable {
    case reply(peer: [UInt8], frames: [[UInt8]])
    case store(StoreJob)
    case publish(topic: String, header: [UInt8], body: [UInt8])
    case fetch(subscription: Int, after: StreamPoint?)
    case fetchSnapshot(subscription: Int, next: String?)
    case prepare(PreparationQuestion)
    case warn(StaticString, Problem)
}
