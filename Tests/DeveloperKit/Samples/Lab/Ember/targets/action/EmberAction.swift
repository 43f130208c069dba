import Foundation
import ManagedSettings

class EmberAction: ShieldActionDelegate {
    override func handle(
        action: ShieldAction,
        for category: ActivityCategoryToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) {
        Coals.count += 1
        print("looked \(Coals.count) times")
        completionHandler(action == .primaryButtonPressed ? .close : .defer)
    }
}
