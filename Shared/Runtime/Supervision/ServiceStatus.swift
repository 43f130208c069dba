package import STPlatform

/// How a service is.
package struct ServiceStatus: Sendable, Equatable {
    package var name: String
    /// nil when no process is there.
    package var pid: Int32?
    package var state: ServiceState
    package var readySinceBootMs: Int64?
    package var readySinceWallMs: Int64?
    package var restarts: Int
    /// How it last ended.
    package var lastExit: ExitStatus?
    /// Why it last failed, until it is ready again.
    package var failure: String?
    /// What it says about itself (STATUS=).
    package var statusText: String?
}
