package import STContracts
package import STDomain

extension Policies {
    /// Applies an event as a subscriber of the policy stream does. Ignores other types.
    package mutating func apply(_ event: WireEvent) throws {
        switch event.header.type {
        case PolicyStoreChanged.type: apply(try event.decoded(PolicyStoreChanged.self))
        case PolicyAllowedChanged.type: apply(try event.decoded(PolicyAllowedChanged.self))
        case PolicyGrantChanged.type: apply(try event.decoded(PolicyGrantChanged.self))
        default: break
        }
    }
}
