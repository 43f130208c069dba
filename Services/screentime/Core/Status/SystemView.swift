package import STContracts
package import STPlatform

/// All that `status` shows: what the supervisor wrote and what each service answered.
package struct SystemView: Sendable {
    package var supervisor: SupervisorFile?
    package var reports: [ServiceName: Result<HealthReport.Reply, Problem>]
    package var desktop: Result<DesktopStatus.Reply, Problem>?
    /// What happened to passcodes, as far as it is told.
    package var notices: [AuthorizationNotice] = []
    /// Whether anything shows notifications; nil when the notifier does not say.
    package var notifications: NotifyDesktop?
    /// Notifications of which nobody can say whether they were seen.
    package var uncertain: Int64 = 0

    package init(
        supervisor: SupervisorFile?,
        reports: [ServiceName: Result<HealthReport.Reply, Problem>],
        desktop: Result<DesktopStatus.Reply, Problem>?
    ) {
        self.supervisor = supervisor
        self.reports = reports
        self.desktop = desktop
    }

    /// As long as a person waits for a list before they think that it hangs.
    static let deadlineMs: Int64 = 1_500

    static func gather(_ clients: ServiceClients) async -> SystemView {
        async let desktop = clients.ask(DesktopStatus.self, .desktop, Empty(), timeoutMs: deadlineMs)
        async let notices = clients.ask(AuthNotices.self, .auth, Empty(), timeoutMs: deadlineMs)
        async let told = clients.ask(NotifyList.self, .notifier, .init(limit: 1), timeoutMs: deadlineMs)
        async let reports = clients.askAll(HealthReport.self, Empty(), timeoutMs: deadlineMs)
        var view = await SystemView(
            supervisor: SupervisorFile.read(clients.directories),
            reports: reports,
            desktop: desktop
        )
        view.notices = (try? await notices.get())?.notices ?? []
        let list = try? await told.get()
        view.notifications = list?.desktop
        view.uncertain = list?.uncertain ?? 0
        return view
    }

    package var isDemo: Bool { supervisor?.isDemo ?? false }

    package var answers: [HealthReport.Reply] {
        ServiceName.all.compactMap { service in
            guard case .success(let report) = reports[service] else { return nil }
            return report
        }
    }

    package var isRunning: Bool { supervisor != nil || !answers.isEmpty }

    /// What can be said about what is seen, in one sentence, or nil when nobody says so.
    package var sight: Sight {
        switch desktop {
        case .success(let status) where status.isBlind == true || status.source == "none":
            let way = status.wayOut.map { " \($0)" } ?? ""
            let reason = status.reason.isEmpty ? "No source of observations." : status.reason
            return Sight(isBlind: true, text: SightText.blind(reason) + DisplayWidth.harmless(way))
        case .success(let status):
            let waiting = status.waiting > 0 ? ", \(status.waiting) not yet accepted" : ""
            let why = status.reason.hasSuffix(".") ? String(status.reason.dropLast()) : status.reason
            let reason = why.isEmpty ? "" : " (\(why))"
            let count = "\(status.seen) \(status.seen == 1 ? "observation" : "observations")"
            return Sight(
                isBlind: false,
                text: "Observed by: \(status.source)\(reason). \(count) so far\(waiting)."
            )
        case .failure(let problem):
            return Sight(isBlind: true, text: "Nothing is observed: \(problem.message)")
        case nil:
            return Sight(isBlind: true, text: "Nothing is observed: desktop-agent was not asked.")
        }
    }

    package struct Sight: Sendable, Equatable {
        package var isBlind: Bool
        package var text: String

        package init(isBlind: Bool, text: String) {
            self.isBlind = isBlind
            self.text = text
        }
    }
}
