public import Combine
import Dispatch
import STClientLink
import STContracts
import STFoundationTypes
import STPlatform
import Synchronization

/// The effective settings of all stores of all apps, limited to those that Apple's API shows to an app.
final class EffectiveSettings: @unchecked Sendable {
    // @unchecked: locks guard the properties, and everything else is set only once.
    static let movie = "media.maximumMovieRating"
    static let show = "media.maximumTVShowRating"
    static let explicit = "media.denyExplicitContent"
    /// The rating that allows everything.
    static let ratingMax = 1_000

    private final class Ratings: @unchecked Sendable {
        // @unchecked: locks guard the properties.
        @Published var movie = EffectiveSettings.ratingMax
        @Published var show = EffectiveSettings.ratingMax
    }

    private let link: ClientLink
    private let willChange: @Sendable () -> Void
    private let ratings = Ratings()
    private let isFollowed = Atomic(false)
    /// Runs reads one at a time, so that an older reply never overwrites a newer one.
    private let looks = DispatchQueue(label: "screentime.settings")

    /// Creates the settings. `willChange` is called before a rating changes.
    init(link: ClientLink, willChange: @escaping @Sendable () -> Void) {
        self.link = link
        self.willChange = willChange
    }

    /// Returns the current rating, or the last known rating if the service does not reply.
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

    /// Starts to publish changes on the main thread. If that thread is blocked, changes are published on another one.
    func follow() {
        guard !isFollowed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // No subscriber exists yet.
        if let found = read() {
            ratings.movie = Self.rating(Self.movie, in: found)
            ratings.show = Self.rating(Self.show, in: found)
        }
        let topics = [Topic.subscription(.policy), Topic.head(.policy)]
        link.watch(.shield, topics: topics) { [weak self] in
            guard let self else { return }
            // The current callback of an extension ends only after this read.
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

    /// Reads the effective settings. Returns `nil`, with an entry in the log, if the service does not reply.
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

/// A rating that results from all stores of all apps. It can be observed like a `@Published` property.
///
/// The rating is requested when it is read, so an unused rating costs nothing.
@propertyWrapper
public struct EffectiveRating: Sendable {
    private let name: String

    init(_ name: String) { self.name = name }

    /// Makes the compiler report an error if the wrapper is used outside a store.
    @available(*, unavailable, message: "Effective ratings are properties of a store")
    public var wrappedValue: Int { EffectiveSettings.ratingMax }

    /// Makes the compiler report an error if the wrapper is used outside a store.
    @available(*, unavailable, message: "Effective ratings are properties of a store")
    public var projectedValue: Published<Int>.Publisher {
        Published(wrappedValue: EffectiveSettings.ratingMax).projectedValue
    }

    /// The accessor that the compiler calls to read the property.
    public static subscript(
        _enclosingInstance store: ManagedSettingsStore,
        wrapped wrapped: KeyPath<ManagedSettingsStore, Int>,
        storage place: KeyPath<ManagedSettingsStore, EffectiveRating>
    ) -> Int {
        store.effective.rating(store[keyPath: place].name)
    }

    /// The accessor that the compiler calls to read the publisher.
    public static subscript(
        _enclosingInstance store: ManagedSettingsStore,
        projected projected: KeyPath<ManagedSettingsStore, Published<Int>.Publisher>,
        storage place: KeyPath<ManagedSettingsStore, EffectiveRating>
    ) -> Published<Int>.Publisher {
        store.effective.publisher(store[keyPath: place].name)
    }
}
