import Glibc

/// Tests run as an ordinary account. Suites that need root have names that end with `RootTests`, and say why; `scripts/test.sh`
/// runs them apart from the others.
package enum RootAccount {
    package static let isHere = geteuid() == 0
    /// An account that owns nothing, for programs that root starts as another account.
    package static let other: UInt32 = 65_534
}

/// A folder of an account other than that of the tests.
package enum ForeignFolder {
    package static let owner: UInt32 = RootAccount.isHere ? RootAccount.other : 0

    /// Root gives one away; others take one of root's.
    package static func path(in scratch: ScratchDirectory) throws -> String {
        guard RootAccount.isHere else { return "/usr" }
        let path = scratch.file("foreign")
        mkdir(path, 0o700)
        chown(path, owner, owner)
        return path
    }
}
