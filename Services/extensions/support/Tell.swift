import STClientLink
import STContracts
import STFoundationTypes

/// Tells the person something.
///
/// The same id again replaces what was told before, and the very same again does nothing. This is the only place that
/// knows how: once there is UserNotifications, it asks UNUserNotificationCenter.
package func tell(_ body: String, title: String, id: String) throws {
    let link = ClientLink.current
    _ = try link.call(
        NotifyPost.self,
        to: .notifier,
        NotifyPost.Request(
            app: link.identity.app,
            member: link.identity.member,
            id: id,
            title: title,
            body: body
        )
    )
}
