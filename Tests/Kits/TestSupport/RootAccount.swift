import Glibc

/// Tests run as an ordinary account. Suites that need root have names that end with `RootTests`, and say why; `scripts/test.sh`
/// runs them apart from the others.
package enum RootAccount {
    package static let isHere = geteuid() == 0
    /// An account that owns nothing, for programs that root starts as another account.
    package static let other: UInt32 = 65_534
}
