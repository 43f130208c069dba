import STBus
package import STContracts
import STCrypto
import STPlatform
import STWire
package import STZeroMQ

/// Proves which service sends a request, for routes that only one other service may call.
///
/// The kernel names the process that opened a connection. That process may have passed the connection on, and may run another program
/// by now. A code over the request, made with the key of the running system, has no such gap.
package struct CallerCodes: Sendable {
    private let service: ServiceName
    private let key: Secret

    package init(of service: ServiceName, key: [UInt8]) throws {
        var key = key
        self.service = service
        self.key = try Secret(wiping: &key)
    }

    /// Nil for services that neither send nor receive such requests: desktop-agent runs as a child's account, which must not have the key.
    static func make(for service: ServiceName, _ environment: [String: String], run: String) throws -> CallerCodes? {
        let isNeeded = isCaller(service) || Catalogue.entry(service)?.routes.contains { $0.caller != nil } ?? false
        // Closes the inherited descriptor in any case.
        guard let key = try SystemKey.take(environment: environment, run: isNeeded ? run : nil) else { return nil }
        return isNeeded ? try CallerCodes(of: service, key: key) : nil
    }

    private static func isCaller(_ service: ServiceName) -> Bool {
        Catalogue.entries.contains { $0.routes.contains { $0.caller == service } }
    }

    /// Nil for services to which no route is restricted.
    package var proof: BusClient.Prover? {
        guard Self.isCaller(service) else { return nil }
        return { code(service, $0, $1, $2) }
    }

    func isProof(_ header: RequestHeader.Partial, _ caller: ServiceName, _ body: [UInt8]) -> Bool {
        guard let given = header.rest.proof, let id = header.id, let route = header.route else {
            return false
        }
        let right = Array(code(caller, id, route, body).utf8)
        let bytes = Array(given.utf8)
        // Takes the same time for all codes of this length, so that the time reveals nothing.
        return bytes.count == right.count && zip(bytes, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private func code(_ caller: ServiceName, _ id: String, _ route: String, _ body: [UInt8]) -> String {
        let words: [UInt8] = [caller.rawValue, id, route].flatMap { Array($0.utf8) + [0] }
        return TextFormat.hex(Digest.blake2b(words + body, key: key))
    }
}
