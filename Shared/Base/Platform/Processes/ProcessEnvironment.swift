import Glibc
import STCPlatform
import Synchronization

/// The environment of this process as a dictionary.
package enum ProcessEnvironment {
    /// True if the program has a privilege that its account does not have, as desktop-agent has on a protected computer. Then the
    /// account's variables for folders, settings and clocks are ignored.
    package static let isPrivileged = st_is_privileged() != 0

    /// These variables would make a privileged program use a false logind or another session.
    private static let misleading: Set<String> = ["DBUS_SYSTEM_BUS_ADDRESS", "XDG_SESSION_ID"]

    package static func current() -> [String: String] {
        var result: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let pair = String(cString: text).split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            if pair.count == 2, !isPrivileged || isAccepted(String(pair[0])) {
                result[String(pair[0])] = String(pair[1])
            }
            entry += 1
        }
        return result
    }

    private static func isAccepted(_ name: String) -> Bool {
        !name.hasPrefix("SCREENTIME_") && !misleading.contains(name)
    }
}

/// The login names of accounts.
package enum AccountName {
    /// The name of this process's account. It cannot change while the process runs. Containers and test runs have accounts without
    /// an entry.
    package static let current = name(getuid()) ?? "user\(getuid())"

    package static func name(_ uid: UInt32) -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16 * 1024)
        guard getpwuid_r(uid, &entry, &buffer, buffer.count, &found) == 0, found != nil,
            let name = entry.pw_name.map({ String(cString: $0) }), !name.isEmpty
        else { return nil }
        return name
    }
}

/// An account of this computer that a person logs in to.
package struct ComputerAccount: Sendable, Equatable {
    package var name: String
    /// The person's full name on this computer. Empty if none was entered.
    package var fullName: String
    /// True if this person can become root, and so undo everything.
    package var isAdministrator: Bool

    package init(name: String, fullName: String, isAdministrator: Bool) {
        self.name = name
        self.fullName = fullName
        self.isAdministrator = isAdministrator
    }

    /// The ids of people by default on Debian, Fedora and Arch. Programs have other ids.
    private static let peopleIds: Range<uid_t> = 1_000..<60_000
    private static let administrators: Set<String> = ["sudo", "wheel", "admin"]
    /// `getpwent` and `getgrent` share one file position in the whole process.
    fileprivate static let lock = Mutex(())

    /// The accounts of people and of this process, ordered by name.
    package static func all() -> [ComputerAccount] {
        lock.withLock { _ in
            var groups: [String: Set<String>] = [:]
            var administratorIds: Set<gid_t> = []
            setgrent()
            while let group = getgrent()?.pointee {
                guard administrators.contains(String(cString: group.gr_name)) else { continue }
                administratorIds.insert(group.gr_gid)
                var member = group.gr_mem
                while let name = member?.pointee {
                    groups[String(cString: name), default: []].insert(String(cString: group.gr_name))
                    member = member?.advanced(by: 1)
                }
            }
            endgrent()
            var found: [ComputerAccount] = []
            setpwent()
            while let entry = getpwent()?.pointee {
                let shell = String(cString: entry.pw_shell)
                let isPerson =
                    peopleIds.contains(entry.pw_uid) && !shell.hasSuffix("/nologin")
                    && !shell.hasSuffix("/false")
                guard isPerson || entry.pw_uid == getuid() else { continue }
                let name = String(cString: entry.pw_name)
                found.append(
                    ComputerAccount(
                        name: name,
                        fullName: String(String(cString: entry.pw_gecos).prefix { $0 != "," }),
                        isAdministrator: entry.pw_uid == 0 || groups[name] != nil
                            || administratorIds.contains(entry.pw_gid)
                    )
                )
            }
            endpwent()
            return found.sorted { $0.name < $1.name }
        }
    }
}

/// A group of this computer's accounts, such as a class of a school. A directory service may provide it.
package enum AccountGroup {
    private static let bytesMax = 16 * 1024 * 1024

    /// The members of a group. `nil` if the computer has no such group.
    package static func members(of name: String) -> [String]? {
        var room = 16 * 1024
        while room <= bytesMax {
            var entry = group()
            var found: UnsafeMutablePointer<group>?
            var buffer = [CChar](repeating: 0, count: room)
            let result = getgrnam_r(name, &entry, &buffer, room, &found)
            if result == ERANGE {
                room *= 4
                continue
            }
            guard result == 0, found != nil, var member = entry.gr_mem else { return nil }
            var names = primaryMembers(entry.gr_gid)
            while let next = member.pointee {
                names.append(String(cString: next))
                member += 1
            }
            return names
        }
        return nil
    }

    /// True if the account is in the group. Looks up the account, because a directory may list neither its accounts nor a group's
    /// members.
    package static func contains(_ account: String, in name: String) -> Bool {
        ComputerAccount.lock.withLock { _ in
            guard let wanted = getgrnam(name)?.pointee.gr_gid, let first = getpwnam(account)?.pointee.pw_gid
            else { return false }
            var groups = [gid_t](repeating: 0, count: 1_024)
            var count = Int32(groups.count)
            guard getgrouplist(account, first, &groups, &count) >= 0 else { return false }
            return groups.prefix(Int(count)).contains(wanted)
        }
    }

    /// The accounts whose first group this is. A group does not list them.
    private static func primaryMembers(_ group: gid_t) -> [String] {
        ComputerAccount.lock.withLock { _ in
            var names: [String] = []
            setpwent()
            while let entry = getpwent()?.pointee {
                if entry.pw_gid == group { names.append(String(cString: entry.pw_name)) }
            }
            endpwent()
            return names
        }
    }
}

/// The name of this machine.
package enum HostName {
    package static func current() -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "localhost" }
        let name = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return name.isEmpty ? "localhost" : name
    }
}
