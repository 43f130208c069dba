import STPlatform
import Testing

@Suite("A group of this computer's accounts")
struct AccountGroupTests {
    @Test("has those whose first group it is, too, and none where there is no such group")
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
