@_exported public import STFoundationGaps
import STFoundationTypes

/// A stand-in for Apple's class. Its calls have no effect, because a desktop does not show the widgets of a phone's apps.
public final class WidgetCenter: Sendable {
    public static let shared = WidgetCenter()

    private init() {}

    public func reloadAllTimelines(file: StaticString = #fileID, line: UInt = #line) {
        FrameworkLog.withoutEffect("WidgetCenter.reloadAllTimelines", "\(file):\(line)")
    }

    public func reloadTimelines(ofKind kind: String, file: StaticString = #fileID, line: UInt = #line) {
        FrameworkLog.withoutEffect("WidgetCenter.reloadTimelines", "\(file):\(line)")
    }

    public func invalidateConfigurationRecommendations(file: StaticString = #fileID, line: UInt = #line) {
        FrameworkLog.withoutEffect("WidgetCenter.invalidateConfigurationRecommendations", "\(file):\(line)")
    }

    /// Returns an empty list, because no widgets are shown.
    public func getCurrentConfigurations(
        _ completion: @escaping @Sendable (Result<[WidgetInfo], any Error>) -> Void
    ) {
        completion(.success([]))
    }
}

public struct WidgetInfo: Hashable, Sendable {
    public let kind: String
}
