package import STContracts

/// What is decided about one subject, with what showing its shield needs to know.
package struct ShieldVerdict: Sendable, Equatable {
    package var member: String
    package var policy: Int64
    package var decision: ShieldDecisionBody
    /// Of what is in front: of the site where there is one, else of the app.
    package var category: String
    /// For each cause, whether it is about the site and not about the app.
    package var isSite: [Bool]
    /// For each cause, the version of its store.
    package var versions: [Int64]
    /// As people call the app and the site; nil where nobody has said.
    package var appName: String?
    package var siteName: String?

    package init(
        member: String,
        policy: Int64,
        decision: ShieldDecisionBody,
        category: String,
        isSite: [Bool],
        versions: [Int64],
        appName: String? = nil,
        siteName: String? = nil
    ) {
        self.member = member
        self.policy = policy
        self.decision = decision
        self.category = category
        self.isSite = isSite
        self.versions = versions
        self.appName = appName
        self.siteName = siteName
    }

    /// Of one subject, by the name of the thing.
    func name(_ subject: ShieldSubject, isSite: Bool) -> String {
        if isSite, let domain = subject.domain { return siteName ?? domain }
        if let app = subject.app { return appName ?? app }
        return subject.domain ?? ""
    }
}
