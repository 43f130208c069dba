import UserNotifications

/// Tells the person something.
///
/// The same id again replaces what was told before, and the very same again does nothing. `failed` is called when it cannot
/// be said, and is done with before the callback of an extension is over.
package func tell(
    _ body: String,
    title: String,
    id: String,
    failed: @escaping @Sendable (any Error) -> Void
) {
    let content = UNMutableNotificationContent()
    content.title = title
    content.body = body
    let request = UNNotificationRequest(identifier: id, content: content, trigger: nil)
    UNUserNotificationCenter.current().add(request) { error in
        if let error { failed(error) }
    }
}
