/// The read model lives in the database; in memory is only what decides who may ask for it.
package struct ReportState: Sendable, Equatable {
    package var apps = ReportApps()

    package init() {}
}
