import STContracts
import STEngine

/// Writes every change of policy down, and tells it.
enum ChangeLog {
    static func begin(_ state: inout ShieldState, _ change: StoreTransaction) throws {}
}
