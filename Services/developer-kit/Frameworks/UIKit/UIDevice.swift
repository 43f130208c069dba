public import Foundation
import STFoundationTypes

/// This computer, as an app of a phone asks about it.
@MainActor
public final class UIDevice: NSObject {
    public static let current = UIDevice()

    public let name = ProcessInfo.processInfo.hostName
    public let model = "iPhone"
    public let localizedModel = "iPhone"
    public let systemName = "iOS"
    public let userInterfaceIdiom = UIUserInterfaceIdiom.phone
    /// The first version with all that is here.
    public let systemVersion = "18.0"
    /// No id is given to apps.
    public let identifierForVendor: UUID? = nil
    /// Unknown, as on a phone that does not watch it.
    public let batteryLevel: Float = -1
    public var isBatteryMonitoringEnabled = false

    override private init() {}
}

public enum UIUserInterfaceIdiom: Int, Sendable {
    case unspecified = -1
    case phone, pad, tv, carPlay
    case mac = 5
    case vision
}

/// The screen that a shield is laid out for.
@MainActor
public final class UIScreen: NSObject {
    public static let main = UIScreen()

    public let bounds = CGRect(x: 0, y: 0, width: 393, height: 852)
    public let scale: CGFloat = 3
    public let brightness: CGFloat = 0.5

    override private init() {}
}

/// A desktop cannot be felt.
@MainActor
public class UIFeedbackGenerator: NSObject {
    public func prepare() {}
}

@MainActor
public final class UIImpactFeedbackGenerator: UIFeedbackGenerator {
    public enum FeedbackStyle: Int, Sendable {
        case light, medium, heavy, soft, rigid
    }

    public init(style: FeedbackStyle = .medium) {}

    public func impactOccurred(intensity: CGFloat = 1, file: StaticString = #fileID, line: UInt = #line) {
        FrameworkLog.withoutEffect("UIImpactFeedbackGenerator", "\(file):\(line)")
    }
}

@MainActor
public final class UINotificationFeedbackGenerator: UIFeedbackGenerator {
    public enum FeedbackType: Int, Sendable {
        case success, warning, error
    }

    override public init() {}

    public func notificationOccurred(_ type: FeedbackType, file: StaticString = #fileID, line: UInt = #line) {
        FrameworkLog.withoutEffect("UINotificationFeedbackGenerator", "\(file):\(line)")
    }
}

@MainActor
public final class UISelectionFeedbackGenerator: UIFeedbackGenerator {
    override public init() {}

    public func selectionChanged(file: StaticString = #fileID, line: UInt = #line) {
        FrameworkLog.withoutEffect("UISelectionFeedbackGenerator", "\(file):\(line)")
    }
}
