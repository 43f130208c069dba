import STBus
import STContracts
package import STPlatform

/// Requests that wait for the word of another service, or of the companion.
extension ServiceEngine {
    struct Prepared {
        var request: AdmittedRequest
        var peer: [UInt8]
        var route: String
        var source: PreparationSource
    }

    /// What must be asked first; nil when the request can go on at once.
    func prepare(_ request: AdmittedRequest, peer: [UInt8], _ route: ServiceRoute<State>) -> [ServiceEffect]?
    {
        guard !route.preparations.isEmpty else { return nil }
        do {
            guard let next = try route.nextQuestion(state, request.body, request.prepared) else { return nil }
            // A read waits here too. What was let in once has its place.
            guard hasRoom || !request.prepared.isEmpty else { throw busy }
            lastPreparation += 1
            preparing[lastPreparation] = Prepared(
                request: request,
                peer: peer,
                route: next.route,
                source: next.source
            )
            waiting += 1
            waitingBytes += request.body.count
            let question = PreparationQuestion(
                id: lastPreparation,
                source: next.source,
                route: next.route,
                body: next.body,
                deadlineBootMs: request.deadlineBootMs,
                trace: request.trace.next(),
                cause: request.header.id
            )
            return [.prepare(question)]
        } catch {
            return finish(request, peer: peer, repeated: false) { throw error }
        }
    }

    /// Who was asked has answered, or has not.
    package func prepared(_ id: UInt64, _ answer: Result<[UInt8], Problem>) -> [ServiceEffect] {
        guard var entry = preparing.removeValue(forKey: id) else { return [] }
        leave(entry.request)
        switch answer {
        case .failure(let problem) where entry.source == .companion:
            // Asked, and nothing came of it.
            entry.request.prepared[entry.route] = []
            return [.warn("not_prepared", problem)] + take(entry.request, peer: entry.peer)
        case .failure(let problem):
            return finish(entry.request, peer: entry.peer, repeated: false) { throw problem }
        case .success(let body):
            entry.request.prepared[entry.route] = body
            return take(entry.request, peer: entry.peer)
        }
    }
}
