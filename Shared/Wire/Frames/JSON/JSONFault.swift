/// Why bytes are not the JSON that is wanted here.
package enum JSONFault: Error, Equatable {
    case malformed(at: Int)
    case tooDeep(limit: Int)
    case notAnObject
}
