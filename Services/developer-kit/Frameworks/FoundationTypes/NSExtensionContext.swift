public import Foundation

/// The input that the host gives an extension. It is empty, because Screen Time's extensions receive everything in their
/// callbacks.
open class NSExtensionContext: NSObject {
    public let inputItems: [Any] = []

    public func open(
        _ url: URL,
        completionHandler: ((Bool) -> Void)? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        FrameworkLog.withoutEffect("NSExtensionContext.open", "\(file):\(line)")
        completionHandler?(false)
    }

    public func completeRequest(returningItems items: [Any]?, completionHandler: ((Bool) -> Void)? = nil) {
        completionHandler?(false)
    }

    public func cancelRequest(withError error: any Error) {}
}

public protocol NSExtensionRequestHandling: AnyObject {
    func beginRequest(with context: NSExtensionContext)
}
