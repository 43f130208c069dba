import Foundation
public import STClientLink
import STContracts
import STPlatform

extension ExtensionMain {
    /// Runs what answers the buttons of shields: the whole of an extension's main file.
    ///
    /// Its methods are called one at a time, on a thread of their own. The object is made before the first of them, on the
    /// main thread.
    public static func run(_ makeDelegate: () -> ShieldActionDelegate) -> Never {
        serve(.shieldAction) {
            let delegate = makeDelegate()
            return { call in try delegate.perform(call) }
        }
    }
}

extension ShieldActionDelegate {
    /// Makes one callback, and waits for its answer.
    func perform(_ call: ExtensionCall) throws -> JSONValue {
        guard ShieldMethod(rawValue: call.method) == .handle else { throw call.unknownMethod }
        let body: ShieldActionBody = try call.decoded()
        guard let action = ShieldAction(body.action) else {
            throw Problem(
                "extension.unknown_action",
                "This extension does not know the button that was pressed."
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
            throw Problem("extension.no_subject", "The call does not say what is shielded.")
        }
        return try JSONValue(wire: ShieldActionResult(response: ShieldResponse(try answer.wait())))
    }

    private func token<T>(_ text: String) throws -> Token<T> {
        guard let data = Data(base64Encoded: text) else {
            throw Problem("extension.bad_token", "The token of what is shielded is not base64.")
        }
        return Token(data: data)
    }
}

extension ShieldAction {
    /// Nil for a button that this version has never heard of.
    init?(_ button: ShieldButton) {
        switch button {
        case .primary: self = .primaryButtonPressed
        case .secondary: self = .secondaryButtonPressed
        case .firstSubmenu: self = .firstSecondarySubmenuItemPressed
        case .secondSubmenu: self = .secondSecondarySubmenuItemPressed
        case .thirdSubmenu: self = .thirdSecondarySubmenuItemPressed
        case .unknown: return nil
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
