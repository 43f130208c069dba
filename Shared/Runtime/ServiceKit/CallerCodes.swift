import STBus
package import STContracts
import STCrypto
import STPlatform
import STWire
package import STZeroMQ

/// Proves which service sends a request, for routes that only one other service may call.
///
/// The kernel reports only the process that opened a connection. That process may have passed the connection to another process, or
/// may have executed another program since. A code computed over each request with the system's key proves its actual sender.
package struct CallerCodes: Sendable {
    private let service: ServiceName
    private let key: Secret

    package init(of service: ServiceName, key: [UInt8]) throws {
        var key = key
        self.service = service
        self.key = try Secret(wiping: &key)
    }

    /// Returns nil for services that neither send nor receive such requests. desktop-agent runs in a child's account and must not
    /// have the key.
    static func make(
        for service: ServiceName,
        _ environment: [String: String],
        run: String
    ) throws -> CallerCodes? {
        let isAsked = Catalogue.entry(service)?.routes.contains { $0.caller != nil } ?? false
        let isNeeded = isCaller(service) || isAsked
        // Closes the inherited descriptor in any case.
        let key = try SystemKey.load(environment: environment, run: isNeeded ? run : nil)
        guard let key else { return nil }
        return isNeeded ? try CallerCodes(of: service, key: key) : nil
    }

    private static func isCaller(_ service: ServiceName) -> Bool {
        Catalogue.entries.contains { $0.routes.contains { $0.caller == service } }
    }

    /// Computes the codes of requests. `nil` for services that are not the caller of any restricted route.
    package var proof: BusClient.Prover? {
        guard Self.isCaller(service) else { return nil }
        return { code(of: service, id: $0, route: $1, body: $2) }
    }

    func isProof(_ header: RequestHeader.Partial, caller: ServiceName, body: [UInt8]) -> Bool {
        guard let given = header.rest.proof, let id = header.id, let route = header.route else {
            return false
        }
        let right = Array(code(of: caller, id: id, route: route, body: body).utf8)
        let bytes = Array(given.utf8)
        // Compares in constant time, so that the duration reveals nothing about the code.
        return bytes.count == right.count && zip(bytes, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private func code(of caller: ServiceName, id: String, route: String, body: [UInt8]) -> String {
        let words: [UInt8] = [caller.rawValue, id, route].flatMap { Array($0.utf8) + [0] }
        return TextFormat.hex(Digest.blake2b(words + body, key: key))
    }
}
