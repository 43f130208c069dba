/// Nothing is kept in memory: notifications are few, and the history is asked for rarely.
package struct NotifierState: Sendable, Equatable {
    package init() {}
}
