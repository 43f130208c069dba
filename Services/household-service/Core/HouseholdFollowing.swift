import STEngine
import STFollowing

/// household-service follows the stream `authorization` of auth-service, which lists the people of this
/// machine. While a child is among them, changes that loosen restrictions require a guardian's passcode.
enum HouseholdFollowing {
    static let subscriptions: [Subscription<HouseholdState>] = [.members(\.household)]
}
