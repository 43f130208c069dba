/// How the words of several stores become one: always the stricter one.
package enum CombineRule: String, Sendable {
    /// True wins.
    case or
    /// The lowest wins.
    case min
    /// All that anybody names.
    case union
    /// The policy that reaches furthest, with the exceptions that all of them make.
    case mostRestrictive = "most_restrictive"
    /// Each store says it for itself, and nothing comes of several.
    case apart
}
