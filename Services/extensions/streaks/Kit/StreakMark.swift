/// What one day was for one task.
package enum StreakMark: Character, Sendable {
    case complete = "C"
    case missed = "M"
}
