/// Whether notifications can be counted here.
package enum NotificationSight: Sendable, Equatable {
    case counted
    /// With the sentence that says why.
    case notKnown(String)
}
