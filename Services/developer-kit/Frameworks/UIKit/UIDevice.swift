public import Foundation
import STFoundationTypes

/// This computer, described to an app that was written for a phone.
@MainActor
public final class UIDevice: NSObject {
    public static let current = UIDevice()

    public let name = ProcessInfo.processInfo.hostName
    public let model = "iPhone"
    public let localizedModel = "iPhone"
    public let systemName = "iOS"
    public let userInterfaceIdiom = UIUserInterfaceIdiom.phone
    /// The first version of iOS that has all of these APIs.
    public let systemVersion = "18.0"
    /// Always `nil`, because apps receive no identifier.
    public let identifierForVendor: UUID? = nil
    /// Always unknown, as on a phone without battery monitoring.
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

/// The screen size for which a shield is laid out.
@MainActor
public final class UIScreen: NSObject {
    public static let main = UIScreen()

    public let bounds = CGRect(x: 0, y: 0, width: 393, height: 852)
    public let scale: CGFloat = 3
    public let brightness: CGFloat = 0.5

    override private init() {}
}

/// A feedback generator. It has no effect, because a desktop has no haptics.
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
