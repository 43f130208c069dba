import Glibc

/// Tests run as an ordinary account. The name of a suite that needs root ends with `RootTests`, and its condition states the
/// reason. `scripts/test.sh --all` runs these suites separately.
package enum RootAccount {
    package static let isHere = geteuid() == 0
    /// An account that owns nothing, for programs that root starts as another account.
    package static let other: UInt32 = 65_534
}
