public import Foundation
import STFoundationTypes

/// Is told which button of a shield a person has pressed, and says what is to be done.
///
/// Make a class of your own from it, and start it with `ExtensionMain.run`. The completion handler may be called later, from
/// anywhere; the first call of it counts. What a class does not override closes what is shielded, and the log says so.
open class ShieldActionDelegate: NSObject {
    /// Called by your own `init()`.
    public override init() { super.init() }

    /// A button of the shield of an app.
    open func handle(
        action: ShieldAction,
        for application: ApplicationToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) {
        close("ApplicationToken", completionHandler)
    }

    /// A button of the shield of an app or a site whose category is shielded.
    open func handle(
        action: ShieldAction,
        for category: ActivityCategoryToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) {
        close("ActivityCategoryToken", completionHandler)
    }

    /// A button of the shield of a site.
    open func handle(
        action: ShieldAction,
        for webDomain: WebDomainToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) {
        close("WebDomainToken", completionHandler)
    }

    /// A button that does nothing would leave a person standing before it.
    private func close(_ kind: String, _ completionHandler: (ShieldActionResponse) -> Void) {
        FrameworkLog.shield.fault(
            "\(type(of: self)) does not override handle(action:for:completionHandler:) for \(kind)"
        )
        completionHandler(.close)
    }
}
