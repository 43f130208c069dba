/// What the service knows, read back from its database at every start.
package struct MonitorState: Sendable, Equatable {
    package init() {}
}
