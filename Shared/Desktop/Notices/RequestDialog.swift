import STBus
package import STContracts
package import STPlatform
package import STZeroMQ

/// Requests the guardian's passcode after a press on Approve or Deny, and sends the decision to shield-service.
package actor RequestDialog {
    private static let triesMax = 3

    private let client: BusClient
    private let thread: LoopThread
    private let log: Log
    private let onRetry: @Sendable (PostedNotification, Problem) async -> Void
    private var window: PasscodeWindow?
    private var isOpen = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// `again` shows the request again after a failed decision, with the reason.
    package init(
        _ client: BusClient,
        thread: LoopThread,
        log: Log,
        again: @escaping @Sendable (PostedNotification, Problem) async -> Void
    ) {
        self.client = client
        self.thread = thread
        self.log = log
        self.onRetry = again
    }

    package func close() { window?.close() }

    /// `posted` is the notification with the pressed button.
    package func handleAction(_ action: String, of posted: PostedNotification) async {
        guard let request = posted.askedRequest,
            [PostedNotification.approve, PostedNotification.deny].contains(action)
        else { return }
        do {
            guard !isOpen else {
                throw Problem(
                    "notify.dialog_open",
                    "Another request is already being answered. Close that dialog first."
                )
            }
            isOpen = true
            defer { isOpen = false }
            try await requestPasscode(request, isApproved: action == PostedNotification.approve, posted)
        } catch {
            let problem = Problem(error)
            log.problem("request_not_answered", problem, fields: ["request": .text(request)])
            await onRetry(posted, problem)
        }
    }

    private func requestPasscode(_ request: String, isApproved: Bool, _ posted: PostedNotification)
        async throws
    {
        let window = try self.window ?? PasscodeWindow(ProcessEnvironment.current())
        self.window = window
        let because = posted.body.split(separator: "\n").first { $0.hasPrefix("“") }.map { "\n\($0)" } ?? ""
        var question = PasscodeWindow.Question(
            text: posted.title + "." + because,
            prompt: "Passcode of \(posted.member):",
            button: isApproved ? "Approve" : "Deny"
        )
        for _ in 0..<Self.triesMax {
            guard let passcode = try await window.requestPasscode(question) else {
                throw Problem("notify.not_answered", "No passcode was entered.")
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
        throw Problem(
            "notify.not_answered",
            "The passcode was wrong \(Self.triesMax, "most") times.",
            key: "notify.not_answered.the-passcode-was"
        )
    }
}
