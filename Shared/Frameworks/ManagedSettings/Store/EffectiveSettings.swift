import Combine
import Dispatch
import STClientLink
import STContracts
import STFoundationTypes
import STPlatform
import Synchronization

/// What all stores of all apps come to, as far as Apple lets an app know it.
final class EffectiveSettings: @unchecked Sendable {
    // @unchecked: the properties have their locks, and everything else is set once.
    static let movie = "media.maximumMovieRating"
    static let show = "media.maximumTVShowRating"
    static let explicit = "media.denyExplicitContent"
    /// Everything may be seen.
    static let ratingMax = 1_000

    private final class Ratings: @unchecked Sendable {
        // @unchecked: the properties have their locks.
        @Published var movie = EffectiveSettings.ratingMax
        @Published var show = EffectiveSettings.ratingMax
    }

    private let link: ClientLink
    private let willChange: @Sendable () -> Void
    private let ratings = Ratings()
    private let isFollowed = Atomic(false)
    /// Looks are made here, one after the other, so that an older answer never overwrites a newer one.
    private let looks = DispatchQueue(label: "screentime.settings")

    /// `willChange` is called before a rating changes.
    init(link: ClientLink, willChange: @escaping @Sendable () -> Void) {
        self.link = link
        self.willChange = willChange
    }

    /// As it is now; what was known last when nobody answers.
    func rating(_ name: String) -> Int {
        if let found = read() { return Self.rating(name, in: found) }
        return name == Self.movie ? ratings.movie : ratings.show
    }

    func publisher(_ name: String) -> Published<Int>.Publisher {
        follow()
        return name == Self.movie ? ratings.$movie : ratings.$show
    }

    var deniesExplicitContent: Bool {
        guard case .bool(let denied) = read()?[Self.explicit] else { return false }
        return denied
    }

    /// From now on changes are told, on the main thread as long as that is not blocked.
    func follow() {
        guard !isFollowed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // Nobody can be subscribed yet.
        if let found = read() {
            ratings.movie = Self.rating(Self.movie, in: found)
            ratings.show = Self.rating(Self.show, in: found)
        }
        let topics = [Topic.subscription(.policy), Topic.head(.policy)]
        link.watch(.shield, topics: topics) { [weak self] in
            guard let self else { return }
            // A callback that is under way is over only when this is.
            OutstandingWork.shared.begin()
            looks.async {
                self.look()
                OutstandingWork.shared.end()
            }
        }
    }

    private func look() {
        guard let found = read() else { return }
        let movie = Self.rating(Self.movie, in: found)
        let show = Self.rating(Self.show, in: found)
        guard (movie, show) != (ratings.movie, ratings.show) else { return }
        MainDelivery.wait { [ratings, willChange] in
            willChange()
            if ratings.movie != movie { ratings.movie = movie }
            if ratings.show != show { ratings.show = show }
        }
    }

    private static func rating(_ name: String, in found: [String: JSONValue]) -> Int {
        guard case .integer(let rating) = found[name] else { return ratingMax }
        return Int(rating)
    }

    /// Nil, with a line in the log, when nobody answers: what was known stands.
    private func read() -> [String: JSONValue]? {
        do {
            let reply = try link.call(
                SettingsEffective.self,
                to: .shield,
                .init(member: link.identity.member)
            )
            return Dictionary(reply.settings.map { ($0.setting, $0.value) }) { first, _ in first }
        } catch {
            FrameworkLog.settings.error("the settings in force could not be read: \(error.description)")
            return nil
        }
    }
}
