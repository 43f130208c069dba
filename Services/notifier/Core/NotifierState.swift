/// What the service knows, read back from its database at every start.
package struct NotifierState: Sendable, Equatable {
    package init() {}
}
