/// For whom an app asks.
public enum FamilyControlsMember: Int, Codable, CustomStringConvertible, Sendable {
    /// A child, for whom a guardian answers.
    case child

    /// A person who answers for themselves.
    case individual

    /// For a person.
    public var description: String {
        switch self {
        case .child: "Child"
        case .individual: "Individual"
        }
    }
}
