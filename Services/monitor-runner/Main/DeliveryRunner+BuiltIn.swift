import STContracts
import STExtensions
import STMonitorCore
import STPlatform

/// Callbacks of the built-in rules.
extension DeliveryRunner {
    /// A built-in rule says what to ask; an attempt that is made again repeats its keys.
    ///
    /// What one service refuses keeps nothing from another: a person is told although no shield can go up.
    func ask(_ delivery: Delivery, _ trace: TraceContext) async -> DeliveryResult {
        let startMs = Stopwatch.milliseconds()
        var problem: Problem?
        do {
            var ordinal: Int64 = 0
            for request in try await builtIn.deliver(delivery) {
                if request.key == nil { ordinal += 1 }
                let key =
                    request.key
                    ?? ForwardedRequest.key(delivery.id, ordinal, request.route, request.body)
                if let failed = try await ask(request, key, delivery, trace), problem == nil {
                    problem = failed
                }
            }
        } catch {
            problem = Self.problem(error)
        }
        return DeliveryResult(problem: problem, tookMs: Stopwatch.milliseconds() - startMs)
    }

    /// What makes the attempt fail; a refusal for good of what has a key of its own stands where that is kept.
    private func ask(_ request: OutgoingRequest, _ key: String, _ delivery: Delivery, _ trace: TraceContext)
        async throws -> Problem?
    {
        do {
            _ = try await asking.forward(
                ForwardedRequest(
                    route: request.route,
                    body: request.body,
                    timeoutMs: BusLimits.timeoutMsDefault,
                    idempotencyKey: key,
                    cause: delivery.id,
                    during: trace
                )
            )
            if request.key != nil { try await builtIn.answered(request, nil) }
            return nil
        } catch {
            let problem = Self.problem(error)
            guard request.key != nil, !problem.retryable else { return problem }
            try await builtIn.answered(request, problem)
            return nil
        }
    }
}
