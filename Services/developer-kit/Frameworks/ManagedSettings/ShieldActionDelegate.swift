import Dispatch
public import Foundation
public import STClientLink
import STContracts
import STFoundationTypes
import STPlatform
import Synchronization

/// Handles the buttons of a shield and responds with the next action.
///
/// Subclass it, and start it with `ExtensionMain.run`. The completion handler may be called later and from any thread. Only its
/// first call counts. If a method is not overridden, the shielded app or site is closed and the log contains the reason.
open class ShieldActionDelegate: NSObject {
    public override init() { super.init() }

    open func handle(
        action: ShieldAction,
        for application: ApplicationToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) {
        close("ApplicationToken", completionHandler)
    }

    /// Handles a button of an app or a site whose category is shielded.
    open func handle(
        action: ShieldAction,
        for category: ActivityCategoryToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) {
        close("ActivityCategoryToken", completionHandler)
    }

    open func handle(
        action: ShieldAction,
        for webDomain: WebDomainToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) {
        close("WebDomainToken", completionHandler)
    }

    /// Closes the app or site, because a button without an effect would leave the person stuck.
    private func close(_ kind: String, _ completionHandler: (ShieldActionResponse) -> Void) {
        FrameworkLog.shield.fault(
            "\(type(of: self)) does not override handle(action:for:completionHandler:) for \(kind)"
        )
        completionHandler(.close)
    }

    func perform(_ call: ExtensionCall) throws -> JSONValue {
        guard ShieldMethod(rawValue: call.method) == .handle else { throw call.unknownMethod }
        let body: ShieldActionBody = try call.decoded()
        guard let action = ShieldAction(body.action) else {
            throw Problem(
                "extension.unknown_action",
                """
                This extension does not support the button that was pressed. Build it with a newer version \
                of the frameworks.
                """
            )
        }
        let answer = ShieldActionAnswer()
        if let text = body.application {
            let application: ApplicationToken = try token(text)
            handle(action: action, for: application, completionHandler: answer.handler())
        } else if let text = body.category {
            let category: ActivityCategoryToken = try token(text)
            handle(action: action, for: category, completionHandler: answer.handler())
        } else if let text = body.webDomain {
            let webDomain: WebDomainToken = try token(text)
            handle(action: action, for: webDomain, completionHandler: answer.handler())
        } else {
            throw Problem(
                "extension.no_subject",
                "The call does not name the app, category or site that is shielded."
            )
        }
        return try JSONValue(wire: ShieldActionResult(response: ShieldResponse(try answer.wait())))
    }

    private func token<T>(_ text: String) throws -> Token<T> {
        guard let data = Data(base64Encoded: text) else {
            throw Problem(
                "extension.bad_token",
                "The token of the shielded app, category or site is not base64."
            )
        }
        return Token(data: data)
    }
}

public enum ShieldAction: Int, Sendable {
    case primaryButtonPressed, secondaryButtonPressed, firstSecondarySubmenuItemPressed
    case secondSecondarySubmenuItemPressed, thirdSecondarySubmenuItemPressed

    /// Creates an action. Returns `nil` for a button that this version does not support.
    init?(_ button: ShieldButton) {
        switch button {
        case .primary: self = .primaryButtonPressed
        case .secondary: self = .secondaryButtonPressed
        case .firstSubmenu: self = .firstSecondarySubmenuItemPressed
        case .secondSubmenu: self = .secondSecondarySubmenuItemPressed
        case .thirdSubmenu: self = .thirdSecondarySubmenuItemPressed
        case .fourthSubmenu, .unknown: return nil
        }
    }
}

public enum ShieldActionResponse: Int, Sendable {
    /// Keeps the shield unless the app has removed it.
    case none

    /// Closes the shielded app or site.
    case close

    /// Keeps the shield and draws it again.
    case `defer`

    /// Opens the app that set the shield.
    case openParentalControlsApp
}

/// Passes a delegate's response from the completion handler to the waiting thread.
private final class ShieldActionAnswer: Sendable {
    private struct State {
        var response: ShieldActionResponse?
        var isForgotten = false
    }

    private let state = Mutex(State())
    private let arrived = DispatchSemaphore(value: 0)

    /// Returns the completion handler for a delegate. After its last reference is released, there can be no response.
    func handler() -> (ShieldActionResponse) -> Void {
        let promise = Promise(self)
        return { promise.answer.give($0) }
    }

    /// Waits for the response, or until the last reference to the completion handler is released.
    ///
    /// There is no time limit here. The host has one, and terminates the process when it expires.
    func wait() throws -> ShieldActionResponse {
        arrived.wait()
        guard let response = state.withLock({ $0.response }) else {
            throw Problem(
                "extension.no_response",
                """
                handle(action:for:completionHandler:) released its completion handler without calling it. \
                Call it exactly once, with the response.
                """
            )
        }
        return response
    }

    private func give(_ response: ShieldActionResponse) {
        let isFirst = state.withLock { state in
            guard state.response == nil else { return false }
            state.response = response
            return true
        }
        guard isFirst else {
            return FrameworkLog.shield.error(
                "the completion handler of a shield's action was called again: the first call counts"
            )
        }
        arrived.signal()
    }

    private func forget() {
        let isFirst = state.withLock { state in
            guard state.response == nil, !state.isForgotten else { return false }
            state.isForgotten = true
            return true
        }
        if isFirst { arrived.signal() }
    }

    /// An object that is released with the last reference to the completion handler.
    private final class Promise: Sendable {
        let answer: ShieldActionAnswer

        init(_ answer: ShieldActionAnswer) { self.answer = answer }

        deinit { answer.forget() }
    }
}

extension ExtensionMain {
    /// Runs a delegate. This call is the only statement that an extension's main file needs.
    ///
    /// The delegate is created on the main thread. Its methods are called one at a time, on a separate thread.
    public static func run(_ makeDelegate: () -> ShieldActionDelegate) -> Never {
        serve(.shieldAction) {
            let delegate = makeDelegate()
            return { call in try delegate.perform(call) }
        }
    }
}

extension ShieldResponse {
    init(_ response: ShieldActionResponse) {
        switch response {
        case .none: self = .none
        case .close: self = .close
        case .defer: self = .defer
        case .openParentalControlsApp: self = .openApp
        }
    }
}
