public import Foundation

/// Whether an app may show notifications.
public enum UNAuthorizationStatus: Int, Sendable {
    /// Nobody was asked.
    case notDetermined

    /// No.
    case denied

    /// Yes.
    case authorized

    /// Yes, without a sound.
    case provisional

    /// For a while.
    case ephemeral
}

/// Whether one thing about notifications is on.
public enum UNNotificationSetting: Int, Sendable {
    /// There is no such thing.
    case notSupported

    /// It is off.
    case disabled

    /// It is on.
    case enabled
}

/// How notifications stand on the screen.
public enum UNAlertStyle: Int, Sendable {
    /// Not at all.
    case none

    /// For a while.
    case banner

    /// Until they are answered.
    case alert
}

/// What an app's notifications may do.
///
/// Every app may show them: a person silences them in the desktop's own settings, which nobody here can read.
public final class UNNotificationSettings: NSObject, Sendable {
    /// Whether they may be shown.
    public let authorizationStatus = UNAuthorizationStatus.authorized

    /// Words on the screen.
    public let alertSetting = UNNotificationSetting.enabled

    /// Sounds.
    public let soundSetting = UNNotificationSetting.enabled

    /// A number at the app's picture.
    public let badgeSetting = UNNotificationSetting.notSupported

    /// The list.
    public let notificationCenterSetting = UNNotificationSetting.enabled

    /// The locked screen.
    public let lockScreenSetting = UNNotificationSetting.notSupported

    /// Even when nothing else may disturb.
    public let criticalAlertSetting = UNNotificationSetting.enabled

    /// At once.
    public let timeSensitiveSetting = UNNotificationSetting.enabled

    /// How they stand on the screen.
    public let alertStyle = UNAlertStyle.banner
}
