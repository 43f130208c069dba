import Dispatch
import Foundation
import STContracts
import STPlatform
import Synchronization
import Testing

@testable import ManagedSettings

@Suite("Shield actions")
struct ShieldActionTests {
    private final class Delegate: ShieldActionDelegate {
        private let answers: [ShieldActionResponse]

        init(_ answers: ShieldActionResponse...) { self.answers = answers }

        override func handle(
            action: ShieldAction,
            for application: ApplicationToken,
            completionHandler: @escaping (ShieldActionResponse) -> Void
        ) {
            for answer in answers { completionHandler(answer) }
        }

        override func handle(
            action: ShieldAction,
            for category: ActivityCategoryToken,
            completionHandler: @escaping (ShieldActionResponse) -> Void
        ) {
            nonisolated(unsafe) let completionHandler = completionHandler
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.02) {
                completionHandler(action == .secondaryButtonPressed ? .defer : .close)
            }
        }
    }

    private func call(_ body: ShieldActionBody, method: String = "handle") throws -> ExtensionCall {
        ExtensionCall(
            id: "D",
            attempt: 1,
            method: method,
            body: try JSONValue(text: body.encodedBody()),
            wallMs: 0,
            deadlineMs: 0
        )
    }

    private func answer(_ delegate: ShieldActionDelegate, _ body: ShieldActionBody) throws -> String? {
        try delegate.perform(call(body))["response"]?.string
    }

    @Test("An action calls the method of its token's kind, and the first response counts")
    func answers() throws {
        let app = ShieldActionBody(action: .primary, application: "AQ==")
        for (response, name) in [
            (ShieldActionResponse.none, "none"), (.close, "close"), (.defer, "defer"),
            (.openParentalControlsApp, "open_app"),
        ] {
            #expect(try answer(Delegate(response), app) == name)
        }
        #expect(try answer(Delegate(.none, .close), app) == "none")
        #expect(try answer(Delegate(), ShieldActionBody(action: .secondary, category: "AQ==")) == "defer")
    }

    @Test("An action method that is not overridden closes the shielded app")
    func base() throws {
        #expect(try answer(Delegate(), ShieldActionBody(action: .primary, webDomain: "AQ==")) == "close")
        let plain = ShieldActionDelegate()
        #expect(try answer(plain, ShieldActionBody(action: .primary, application: "AQ==")) == "close")
        #expect(try answer(plain, ShieldActionBody(action: .primary, category: "AQ==")) == "close")
    }

    @Test("A completion handler that is released without a call is a failure")
    func forgotten() throws {
        let problem = #expect(throws: Problem.self) {
            try answer(Delegate(), ShieldActionBody(action: .primary, application: "AQ=="))
        }
        #expect(problem?.code == "extension.no_response")
    }

    @Test("Invalid shield action calls fail with a reason")
    func nonsense() throws {
        let codes = [
            try call(ShieldActionBody(action: .primary, application: "AQ=="), method: "configuration"),
            try call(ShieldActionBody(action: .primary)),
            try call(ShieldActionBody(action: .primary, application: "***")),
            try call(ShieldActionBody(action: .unknown, application: "AQ==")),
        ].map { call in
            do {
                _ = try Delegate(.close).perform(call)
                return ""
            } catch { return (error as? Problem)?.code ?? "\(error)" }
        }
        #expect(
            codes == [
                "extension.unknown_method", "extension.no_subject", "extension.bad_token",
                "extension.unknown_action",
            ]
        )
    }
}
