@_exported public import STFoundationGaps
import STFoundationTypes

/// A desktop has no widgets of a phone's apps.
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

    /// None are on the screen.
    public func getCurrentConfigurations(
        _ completion: @escaping @Sendable (Result<[WidgetInfo], any Error>) -> Void
    ) {
        completion(.success([]))
    }
}

public struct WidgetInfo: Hashable, Sendable {
    public let kind: String
}
