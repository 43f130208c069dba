import STEngine
import STFollowing

/// The stream that household-service follows: `authorization` of auth-service lists the people of this machine. While a child is among them,
/// changes that loosen something require a guardian's passcode.
enum HouseholdFollowing {
    static let subscriptions: [Subscription<HouseholdState>] = [.members(\.household)]
}
