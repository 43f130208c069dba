import STContracts
import STDesktopCore
import STPlatform
import STServiceKit
import STZeroMQ

extension PanelStage {
    /// Pages of apps that are gone through; nobody has so many.
    private static let pagesMax = 20

    /// Questions that were asked before this process knew whom to show them: each app has one at most.
    func askWaiting() async {
        let options = CallOptions(timeoutMs: Self.callMs)
        do {
            var next: String?
            for _ in 0..<Self.pagesMax {
                let page = try await client.call(AppList.self, .init(next: next), options)
                for app in page.apps {
                    // Most apps ask nothing, which is told as a problem.
                    let request = AuthQuestionShow.Request(app: app.manifest.id)
                    guard let question = try? await client.call(AuthQuestionShow.self, request, options),
                        question.state == .pending
                    else { continue }
                    hear(.asked(question))
                }
                guard page.next != nil else { return }
                next = page.next
            }
        } catch {
            // They stand in the terminal as well.
            surroundings.log.problem(
                "questions_unknown",
                (error as? Problem) ?? Problem("internal", "\(error)")
            )
        }
    }
}
