public import Combine
import Dispatch
import STClientLink
import STContracts
import STFoundationTypes
import STPlatform

/// Requests permission to monitor and limit use.
public class AuthorizationCenter: ObservableObject, @unchecked Sendable {
    // @unchecked: a lock guards the property, and everything else is set only once.

    public static let shared = AuthorizationCenter(
        link: .current,
        prompt: TerminalPrompt.start,
        isStale: (ProcessEnvironment.current()[ExtensionEnvironment.faults] ?? "").split(separator: ",")
            .contains { $0 == PhoneFault.staleAuthorization.rawValue }
    )

    public typealias ObjectWillChangePublisher = ObservableObjectPublisher

    /// The latest known authorization status.
    ///
    /// The status also changes after decisions made elsewhere, for example after a permission was withdrawn. Changes are
    /// published on the main thread, as soon as that thread is not blocked.
    @Published public private(set) var authorizationStatus: AuthorizationStatus = .notDetermined

    /// The time limit for reading the initial status.
    private static let firstTimeout = Duration.seconds(1)

    private let link: ClientLink
    private let prompt: TerminalPrompt.Start
    /// Runs status requests one at a time, so that an older reply never overwrites a newer one.
    private let looks = DispatchQueue(label: "screentime.authorization")

    /// Creates the center. If `isStale` is true, the status is neither read nor updated, which simulates a known fault of phones.
    init(link: ClientLink, prompt: @escaping TerminalPrompt.Start, isStale: Bool = false) {
        self.link = link
        self.prompt = prompt
        if isStale { return }
        if let known = try? status(timeout: Self.firstTimeout) { authorizationStatus = known }
        let topics = [Topic.subscription(.authorization), Topic.head(.authorization)]
        link.watch(.auth, topics: topics) { [weak self] in self?.lookSoon() }
    }

    /// Requests permission for a child. This is the older form without a `FamilyControlsMember`.
    @available(*, deprecated, message: "Use requestAuthorization(for:) instead.")
    public func requestAuthorization(completionHandler: @escaping (Result<Void, any Error>) -> Void) {
        let handler = CompletionHandler(completionHandler)
        Task {
            do {
                try await self.requestAuthorization(for: .child)
                handler.call(.success(()))
            } catch {
                handler.call(.failure(error))
            }
        }
    }

    /// Requests permission. Returns immediately if permission already exists. Otherwise a person must answer, either on the
    /// terminal if there is one, or with `screentime app access`.
    ///
    /// - Throws: A `FamilyControlsError`. It is `authorizationCanceled` if the person refuses or does not answer.
    public func requestAuthorization(for member: FamilyControlsMember) async throws {
        do {
            try await ask(member == .child ? .child : .individual)
        } catch {
            FrameworkLog.authorization.error("requestAuthorization: \(error.description)")
            throw FamilyControlsError.of(error)
        }
    }

    /// Withdraws a permission. It has no effect after a refusal.
    public func revokeAuthorization(completionHandler: @escaping (Result<Void, any Error>) -> Void) {
        let handler = CompletionHandler(completionHandler)
        let request = AuthRevoke.Request(app: link.identity.app, member: link.identity.member)
        Task {
            do throws(Problem) {
                let now = try await link.call(AuthRevoke.self, to: .auth, request)
                await self.publish(AuthorizationStatus(now))
                handler.call(.success(()))
            } catch {
                FrameworkLog.authorization.error("revokeAuthorization: \(error.description)")
                handler.call(.failure(FamilyControlsError.of(error)))
            }
        }
    }

    // MARK: - Asking

    private func ask(_ scope: AuthorizationScope) async throws(Problem) {
        let request = AuthRequest.Request(app: link.identity.app, member: link.identity.member, scope: scope)
        let reply = try await link.call(AuthRequest.self, to: .auth, request)
        if let question = reply.question {
            do throws(Problem) {
                try await AuthorizationQuestion(link: link, prompt: prompt).wait(for: question)
            } catch {
                // Update the status before the caller receives the refusal, rather than when the event arrives.
                if let now = try? await link.call(AuthStatus.self, to: .auth, statusRequest) {
                    await publish(AuthorizationStatus(now))
                }
                throw error
            }
        }
        let now = try await link.call(AuthStatus.self, to: .auth, statusRequest)
        await publish(AuthorizationStatus(now))
        guard AuthorizationStatus(now) == .approved else { throw AuthorizationQuestion.refused }
    }

    // MARK: - Status

    private var statusRequest: AuthStatus.Request {
        AuthStatus.Request(app: link.identity.app, member: link.identity.member)
    }

    private func status(timeout: Duration) throws(Problem) -> AuthorizationStatus {
        AuthorizationStatus(try link.call(AuthStatus.self, to: .auth, statusRequest, timeout: timeout))
    }

    private func lookSoon() {
        // The current callback of an extension ends only after this request.
        OutstandingWork.shared.begin()
        looks.async {
            defer { OutstandingWork.shared.end() }
            do throws(Problem) {
                let status = try self.status(timeout: .milliseconds(BusLimits.timeoutMsDefault))
                MainDelivery.wait { self.set(status) }
            } catch {
                // The status stays unchanged. The services decide by their own data.
                FrameworkLog.authorization.notice("the status could not be read: \(error.description)")
            }
        }
    }

    private func publish(_ status: AuthorizationStatus) async {
        await withCheckedContinuation { continuation in
            looks.async {
                MainDelivery.wait { self.set(status) }
                continuation.resume()
            }
        }
    }

    private func set(_ status: AuthorizationStatus) {
        if status != authorizationStatus { authorizationStatus = status }
    }
}

public enum AuthorizationStatus: Int, Codable, CustomStringConvertible, Equatable, Hashable, Sendable {
    case notDetermined, denied, approved

    /// Permission that includes the names of the used apps and sites.
    case approvedWithDataAccess

    public var description: String {
        switch self {
        case .notDetermined: "Not Determined"
        case .denied: "Denied"
        case .approved: "Approved"
        case .approvedWithDataAccess: "Approved With Data Access"
        }
    }
}

public enum FamilyControlsMember: Int, Codable, CustomStringConvertible, Sendable {
    /// A guardian must answer the request.
    case child, individual

    public var description: String {
        switch self {
        case .child: "Child"
        case .individual: "Individual"
        }
    }
}

/// An open request for permission. It shows the question on the terminal and waits for the answer.
private struct AuthorizationQuestion {
    /// The interval between requests for the answer.
    private static let interval = Duration.milliseconds(200)
    /// The maximum waiting time. The service normally ends a question earlier.
    private static let timeout = Duration.seconds(180)

    static let refused = Problem("auth.canceled", "The person did not allow the access, or did not answer.")

    let link: ClientLink
    let prompt: TerminalPrompt.Start

    /// Returns when the person approves. Throws if the person refuses or does not answer.
    func wait(for question: AuthQuestion) async throws(Problem) {
        let shown = prompt(question.app, question.request)
        defer { shown?.end() }
        if shown == nil {
            FrameworkLog.authorization.notice(
                "\(question.appName) asks for permission. To answer: "
                    + "screentime app access \(question.app) on --request \(question.request)"
            )
        }
        let start = Stopwatch.milliseconds()
        while Stopwatch.milliseconds() - start < Self.timeout.ms, !Task.isCancelled {
            let now = try await link.call(
                AuthQuestionShow.self,
                to: .auth,
                .init(request: question.request)
            )
            switch now.state {
            case .pending: await link.pause(milliseconds: Self.interval.ms)
            case .approved: return
            case .denied, .canceled, .unknown: throw Self.refused
            }
        }
        throw Self.refused
    }
}

/// A completion handler that is passed to the task that calls it.
private struct CompletionHandler: @unchecked Sendable {
    // @unchecked: one task calls it once, and the caller expects a call from another thread.
    private let body: (Result<Void, any Error>) -> Void

    init(_ body: @escaping (Result<Void, any Error>) -> Void) { self.body = body }

    func call(_ result: Result<Void, any Error>) { body(result) }
}
