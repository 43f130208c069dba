import STContracts
import STPlatform
import STZeroMQ

/// What a callback asks of services.
extension ExtensionProcess {
    func ask(_ header: RequestHeader, _ body: [UInt8], _ ordinal: Int64) {
        guard let job else { return }
        do {
            let request = try forwarded(header, body, ordinal, job)
            run.requests += 1
            asked += 1
            let forward = ground.services.forward
            let thread = ground.loop.thread
            Task(executorPreference: thread, priority: .medium) {
                let answer: Result<[UInt8], any Error>
                do { answer = .success(try await forward(request)) } catch { answer = .failure(error) }
                thread.post { self.answered(header.id, answer) }
            }
        } catch {
            perform([ExtensionLife.refusal(header.id, Self.problem(error))])
        }
    }

    private func answered(_ id: String, _ answer: Result<[UInt8], any Error>) {
        asked -= 1
        switch answer {
        case .success(let body):
            let header = ReplyHeader(id: id, ok: true).encoded()
            perform([.send([ExtensionProtocol.Kind.reply.frame, header, body])])
        case .failure(let error): perform([ExtensionLife.refusal(id, Self.problem(error))])
        }
    }

    private func forwarded(
        _ header: RequestHeader,
        _ body: [UInt8],
        _ ordinal: Int64,
        _ job: ExtensionJob
    ) throws -> ForwardedRequest {
        guard spec.point.routes.contains(header.route) else {
            throw ExtensionProblem.routeRefused(header.route, spec.point)
        }
        guard asked < ExtensionProtocol.requestsMax else {
            throw Problem(
                "extension.too_many_requests",
                "\(asked) requests wait for their answers already; wait for one of them.",
                retryable: true
            )
        }
        guard case .object(var members) = try JSONValue(text: body) else {
            throw Problem("body.invalid", "The body must be a JSON object.")
        }
        // Whatever it says: an extension acts for its own app, and for the member it was started for.
        members["app"] = .string(spec.app)
        members["member"] = .string(spec.member)
        let forced = JSONValue.object(members).text
        return ForwardedRequest(
            route: header.route,
            body: forced,
            timeoutMs: min(
                max(1, header.timeoutMs ?? BusLimits.timeoutMsDefault),
                BusLimits.timeoutMsMax
            ),
            idempotencyKey: ForwardedRequest.key(job.call.id, ordinal, header.route, forced),
            cause: job.cause,
            during: job.trace
        )
    }

    private static func problem(_ error: any Error) -> Problem {
        (error as? Problem) ?? Problem("internal", "\(error)")
    }
}
