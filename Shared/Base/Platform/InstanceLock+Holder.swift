import Glibc

extension InstanceLock {
    /// Who holds the lock of that path now, or nil when nobody does.
    ///
    /// Asking takes the lock for an instant when it is free, so ask only where a lock that cannot be had for that
    /// instant does no harm.
    package static func holder(path: String) -> Int32? {
        let number = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard number >= 0 else { return nil }
        let owned = OwnedDescriptor(number)
        guard flock(owned.number, LOCK_SH | LOCK_NB) != 0 else {
            flock(owned.number, LOCK_UN)
            return nil
        }
        return errno == EWOULDBLOCK ? holder(owned.number) : nil
    }
}
