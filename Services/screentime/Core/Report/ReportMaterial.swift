package import STContracts
package import STPlatform

/// What services answered for one report.
package struct ReportMaterial: Sendable {
    package var usage: ReportUsage.Reply
    /// What a scene needs beside it: hours or days to compare with, or apps.
    package var second: ReportUsage.Reply?
    /// Of a timeline, in their order.
    package var stretches: [Segment] = []
    /// Nil where report-service does not say.
    package var coverage: ReportCoverage.Reply?
    package var desktop: Result<DesktopStatus.Reply, Problem>?
    package var isDemo = false

    package init(usage: ReportUsage.Reply) { self.usage = usage }
}
