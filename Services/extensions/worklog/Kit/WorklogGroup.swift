/// What waits for the work to be done, or for the evening; each has a store of its own.
package enum WorklogGroup: String, CaseIterable, Sendable {
    case games, social
}
