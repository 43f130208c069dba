/// Tells the person something.
///
/// The same id again replaces what was told before, and the very same again does nothing.
///
/// The only place that knows how; once there is UserNotifications, this asks UNUserNotificationCenter.
package func tell(_ body: String, title: String, id: String) throws {
}
