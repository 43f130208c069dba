import STContracts
import STExtensions
import STPlatform
import STReportCore
import Synchronization

/// What an extension asked for in a call and did not get.
///
/// Apple's sequences of data have no errors: they end. A report made of a part of somebody's day would say something that
/// is not so, so it is not shown, and the reason is.
final class DataFailures: Sendable {
    /// By the question, as one that was answered at last has not failed.
    private let failed = Mutex<[String: [String: Problem]]>([:])

    /// Of a call from here on.
    func begin(_ call: String) { failed.withLock { $0[call] = [:] } }

    /// Nil when it got everything.
    func end(_ call: String) -> Problem? {
        failed.withLock { $0.removeValue(forKey: call)?.min { $0.key < $1.key }?.value }
    }

    func forward(_ request: ForwardedRequest, by asking: ServiceAsking<ReportState>) async throws -> [UInt8] {
        do {
            let answer = try await asking.forward(request)
            note(request, nil)
            return answer
        } catch {
            note(request, ReportProblem.of(error))
            throw error
        }
    }

    private func note(_ request: ForwardedRequest, _ problem: Problem?) {
        // `<call>/<number>/<digest of route and body>`
        let words = request.idempotencyKey.split(separator: "/")
        guard let call = words.first, let digest = words.last else { return }
        failed.withLock { failed in
            guard failed[String(call)] != nil else { return }
            failed[String(call)]?[String(digest)] = problem
        }
    }
}
