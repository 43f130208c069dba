public import Foundation

extension DeviceActivityData {
    /// A person.
    public struct User: Hashable, Sendable {
        /// What somebody is in the household.
        public enum FamilyRole: Int, Hashable, Sendable {
            /// Nobody's child.
            case individual

            /// A child.
            case child
        }

        /// What the person is known by; here the id of the member.
        public var appleID: String?

        /// The name.
        public var nameComponents: PersonNameComponents?

        /// What the person is in the household.
        public var role: FamilyRole

        package init(appleID: String?, nameComponents: PersonNameComponents?, role: FamilyRole) {
            self.appleID = appleID
            self.nameComponents = nameComponents
            self.role = role
        }
    }
}
