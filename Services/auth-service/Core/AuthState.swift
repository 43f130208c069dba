package import STContracts

/// The household as this service knows it.
package struct AuthState: Sendable, Equatable {
    package var device: Device?
    package var members: [Member] = []
}
