import STBus
import STContracts
import STNotifierCore
import STPlatform
import STServiceKit
import STZeroMQ

/// After a press on Approve or Deny: asks for the guardian's passcode and passes the answer on to shield-service.
actor RequestDialog {
    private static let triesMax = 3

    private let host: ServiceHost<NotifierState>
    private let surroundings: Surroundings
    private let client: BusClient
    private var window: PasscodeWindow?
    private var isOpen = false

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ host: ServiceHost<NotifierState>, _ surroundings: Surroundings) {
        self.host = host
        self.surroundings = surroundings
        client = surroundings.makeClient()
    }

    func close() async {
        window?.close()
        await client.close()
    }

    /// `posted`: the notification that was pressed.
    func pressed(_ posted: PostedNotification) async {
        guard let request = RequestNotice.request(of: posted), let action = posted.answer?.action,
            [RequestNotice.approve, RequestNotice.deny].contains(action)
        else { return }
        do {
            guard !isOpen else {
                throw Problem("notify.dialog_open", "Another request is just being answered.")
            }
            isOpen = true
            defer { isOpen = false }
            try await ask(request, isApproved: action == RequestNotice.approve, posted)
        } catch {
            let problem = Problem(error)
            surroundings.log.problem("request_not_answered", problem, ["request": .text(request)])
            _ = try? await host.step("notify.request_again") {
                try RequestNotice.again(posted, problem, $0, $2)
            }
        }
    }

    private func ask(_ request: String, isApproved: Bool, _ posted: PostedNotification) async throws {
        let window = try self.window ?? PasscodeWindow(ProcessEnvironment.current())
        self.window = window
        let because = posted.body.split(separator: "\n").first { $0.hasPrefix("“") }.map { "\n\($0)" } ?? ""
        var question = PasscodeWindow.Question(
            text: posted.title + "." + because,
            prompt: "Passcode of \(posted.member):",
            button: isApproved ? "Approve" : "Deny"
        )
        for _ in 0..<Self.triesMax {
            guard let passcode = try await window.ask(question) else {
                throw Problem("notify.not_answered", "The passcode was not typed.")
            }
            let answered =
                isApproved
                ? try await client.call(
                    RequestApprove.self,
                    .init(request: request, by: posted.member, passcode: passcode)
                )
                : try await client.call(
                    RequestDeny.self,
                    .init(request: request, by: posted.member, passcode: passcode)
                )
            guard let refusal = answered.refusal else { return }
            guard refusal.code == "auth.wrong_passcode", refusal.details["retry_after_ms"] == nil else {
                throw refusal
            }
            question.error = refusal.message
        }
        throw Problem("notify.not_answered", "The passcode was wrong \(Self.triesMax) times.")
    }
}
