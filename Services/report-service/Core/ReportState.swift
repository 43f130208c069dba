/// The read model lives in the database; nothing of it is kept in memory.
package struct ReportState: Sendable, Equatable {
    package init() {}
}
