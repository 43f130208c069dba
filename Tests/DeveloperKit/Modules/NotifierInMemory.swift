import STClientLink
import STContracts
import STFoundationTypes
import STPlatform
import Synchronization

/// A notifier that only records requests.
final class NotifierInMemory: LinkChannel {
    private struct State {
        var posts: [NotifyPost.Request] = []
        var posted: [PostedNotification] = []
        var withdrawals: [NotifyWithdraw.Request] = []
        var refusal: Problem?
        var watchers: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    var link: ClientLink {
        ClientLink(
            identity: AppIdentity(environment: ["SCREENTIME_APP": "promise"], executable: "promise"),
            channel: self
        )
    }

    var posts: [NotifyPost.Request] { state.withLock { $0.posts } }
    var withdrawals: [NotifyWithdraw.Request] { state.withLock { $0.withdrawals } }

    func refuse(_ problem: Problem?) { state.withLock { $0.refusal = problem } }

    func answer(_ id: String, _ action: String) {
        let watchers = state.withLock { state in
            for index in state.posted.indices where state.posted[index].id == id {
                state.posted[index].state = .answered
                state.posted[index].answer = NotifyAnswered(action: action, wallMs: 5, via: .desktop)
            }
            return state.watchers
        }
        for watcher in watchers { watcher() }
    }

    func start(_ request: LinkRequest, _ completion: @escaping Completion) {
        completion(
            Result { try state.withLock { try Self.answer(request, &$0) } }
                .mapError { $0 as? Problem ?? Problem("internal", verbatim: "\($0)") }
        )
    }

    func watch(_ service: ServiceName, topics: [String], _ heard: @escaping @Sendable () -> Void) {
        state.withLock { $0.watchers.append(heard) }
    }

    func after(milliseconds: Int64, _ work: @escaping @Sendable () -> Void) { work() }

    private static func answer(_ request: LinkRequest, _ state: inout State) throws -> [UInt8] {
        if let refusal = state.refusal { throw refusal }
        switch request.route {
        case NotifyPost.name:
            let post = try NotifyPost.Request.decodedBody(request.body)
            state.posts.append(post)
            state.posted.removeAll { $0.id == post.id }
            let number = Int64(state.posts.count)
            state.posted.append(posted(post, number))
            return try NotifyPost.Reply(number: number, outcome: .posted, postedAt: "2026-11-20T10:00:00Z")
                .encodedBody()
        case NotifyList.name:
            let wanted = try NotifyList.Request.decodedBody(request.body).state
            return try NotifyList.Reply(
                notifications: state.posted.filter { wanted == nil || $0.state == wanted },
                next: nil
            ).encodedBody()
        case NotifyWithdraw.name:
            state.withdrawals.append(try NotifyWithdraw.Request.decodedBody(request.body))
            return try NotifyWithdraw.Reply(withdrawn: 1).encodedBody()
        default: throw Problem("route.unknown", verbatim: request.route)
        }
    }

    private static func posted(_ post: NotifyPost.Request, _ number: Int64) -> PostedNotification {
        PostedNotification(
            number: number,
            app: post.app,
            member: "owner",
            id: post.id,
            title: post.title,
            body: post.body,
            cause: nil,
            postedAt: "2026-11-20T10:00:00Z",
            state: post.trigger == nil ? .shown : .scheduled,
            dueAt: post.trigger == nil ? nil : "2026-11-20T11:00:00Z"
        )
    }
}
