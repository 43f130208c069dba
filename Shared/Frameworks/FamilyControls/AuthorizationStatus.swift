/// Whether an app may watch and limit use.
public enum AuthorizationStatus: Int, Codable, CustomStringConvertible, Equatable, Hashable, Sendable {
    /// Nobody was asked.
    case notDetermined

    /// The person refused, or took it back.
    case denied

    /// It may.
    case approved

    /// It may, and may know which apps and sites are used.
    case approvedWithDataAccess

    /// For a person.
    public var description: String {
        switch self {
        case .notDetermined: "Not Determined"
        case .denied: "Denied"
        case .approved: "Approved"
        case .approvedWithDataAccess: "Approved With Data Access"
        }
    }
}
