/// What became of one day's promise.
package enum PromiseMark: Character, Sendable {
    case kept = "K"
    case broken = "B"
}
