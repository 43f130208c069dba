import STPlatform
import Testing

@Suite("Account groups")
struct AccountGroupTests {
    @Test("A group contains the accounts whose primary group it is, and an unknown group contains none")
    func members() {
        #expect(AccountGroup.members(of: "root")?.contains("root") == true)
        #expect(AccountGroup.members(of: "no such group") == nil)
        #expect(AccountGroup.contains("root", in: "root"))
        #expect(!AccountGroup.contains("root", in: "nogroup") && !AccountGroup.contains("nobody", in: "root"))
        #expect(
            !AccountGroup.contains("root", in: "no such group")
                && !AccountGroup.contains("no such account", in: "root")
        )
    }
}
