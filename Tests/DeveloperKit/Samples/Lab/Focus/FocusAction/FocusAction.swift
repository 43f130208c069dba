import ManagedSettings

class FocusAction: ShieldActionDelegate {
    override func handle(
        action: ShieldAction,
        for application: ApplicationToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) {
        FocusBook().note("pressed")
        completionHandler(action == .primaryButtonPressed ? .close : .defer)
    }
}
