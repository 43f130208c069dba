public import Combine
import Dispatch
import STClientLink
import STContracts
import STFoundationTypes
import STPlatform

/// Asks a person whether the app may watch and limit use.
public class AuthorizationCenter: ObservableObject, @unchecked Sendable {
    // @unchecked: the property has its lock, and everything else is set once.

    /// The one center of the app.
    public static let shared = AuthorizationCenter(link: .current, prompt: TerminalPrompt.start)

    /// What sends before the status changes.
    public typealias ObjectWillChangePublisher = ObservableObjectPublisher

    /// Whether the app may, as far as is known now.
    ///
    /// It follows what people decide elsewhere, such as that they take a permission back. Changes are told on the main thread,
    /// as long as that is not blocked.
    @Published public private(set) var authorizationStatus: AuthorizationStatus = .notDetermined

    /// A permission that was never asked for is asked for once; how long a first look may take.
    private static let firstLookMs: Int64 = 1_000

    private let link: ClientLink
    private let prompt: TerminalPrompt.Start
    /// Looks are made here, one after the other, so that an older answer never overwrites a newer one.
    private let looks = DispatchQueue(label: "screentime.authorization")

    init(link: ClientLink, prompt: @escaping TerminalPrompt.Start) {
        self.link = link
        self.prompt = prompt
        if let known = try? status(timeoutMs: Self.firstLookMs) { authorizationStatus = known }
        let topics = [Topic.subscription(.authorization), Topic.head(.authorization)]
        link.watch(.auth, topics: topics) { [weak self] in self?.lookSoon() }
    }

    /// Asks for a child, as before members were told apart.
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

    /// Asks for permission: at once when it was given before, else by a question to a person.
    ///
    /// The question is put on the terminal where there is one; it can be answered elsewhere, too.
    ///
    /// - Throws: A `FamilyControlsError`: `authorizationCanceled` when the person refuses or does not answer.
    public func requestAuthorization(for member: FamilyControlsMember) async throws {
        do {
            try await ask(member == .child ? .child : .individual)
        } catch {
            FrameworkLog.authorization.error("requestAuthorization: \(error.description)")
            throw FamilyControlsError.of(error)
        }
    }

    /// Gives a permission back; without effect where it was refused.
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
                // Whoever is told of a refusal finds it in the status at once, not when the news of it arrives.
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

    private func status(timeoutMs: Int64) throws(Problem) -> AuthorizationStatus {
        AuthorizationStatus(try link.call(AuthStatus.self, to: .auth, statusRequest, timeoutMs: timeoutMs))
    }

    private func lookSoon() {
        // A callback that is under way is over only when this is.
        OutstandingWork.shared.begin()
        looks.async {
            defer { OutstandingWork.shared.end() }
            do throws(Problem) {
                let status = try self.status(timeoutMs: BusLimits.timeoutMsDefault)
                MainDelivery.wait { self.set(status) }
            } catch {
                // What was known stands; the services themselves decide by what they know.
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
