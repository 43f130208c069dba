import STContracts
import STEngine
import STStore

/// What the read model knows, as its own routes tell it.
struct ReportFigures: Sendable {
    var usage:
        @Sendable (ReportUsage.Request, ReportState, RequestContext, Database) throws -> ReportUsage.Reply
    /// Whether anything is known of a member's use of a device.
    var knows: @Sendable (String, String, ReportState) -> Bool
    /// All devices whose use is known, this one among them.
    var devices: @Sendable (ReportState) -> [ReportDevice]
    /// What people call an app or a site, in a language; nil when nobody has said.
    var name: @Sendable (TokenItem, String, ReportState) -> String?
}
