package import STContracts
package import STEngine
package import STStore

/// What the read model knows, as its own routes tell it.
package struct ReportFigures: Sendable {
    package var usage: @Sendable (ReportUsage.Request, RequestContext, Database) throws -> ReportUsage.Reply
    package var coverage: @Sendable (RequestContext, Database) throws -> ReportCoverage.Reply
    /// What people call an app or a site, in a language.
    package var name: @Sendable (TokenItem, String, Database) throws -> String?

    package init(
        usage: @escaping @Sendable (ReportUsage.Request, RequestContext, Database) throws -> ReportUsage.Reply,
        coverage: @escaping @Sendable (RequestContext, Database) throws -> ReportCoverage.Reply,
        name: @escaping @Sendable (TokenItem, String, Database) throws -> String?
    ) {
        self.usage = usage
        self.coverage = coverage
        self.name = name
    }
}
