import Glibc
import STPlatform
package import STTestSupport

/// A separate Debian below `.build`, so that this machine is not changed.
package struct DebianRoot: Sendable {
    package let path: String

    /// The packages with which a desktop draws.
    private static let drawing = ["libgl1-mesa-dri", "fonts-dejavu-core"]

    /// True if this process can mount another root folder. This requires root, and not every container allows it.
    package static let isPossible: Bool = {
        let words = ["--mount", "--propagation", "private", "/bin/true"]
        let plan = SpawnPlan(executable: "/usr/bin/unshare", arguments: words)
        return geteuid() == 0 && (try? SpawnedProcess(plan).wait(deadlineMs: 10_000)) == .exited(0)
    }()

    /// Returns a command that runs a program in this Debian as the ordinary account. It has its own mounts, so nothing has to be
    /// unmounted.
    package func within(_ scratch: ScratchDirectory, _ words: [String]) -> [String] {
        let script = """
            set -eu
            root=$1; shared=$2; user=$3; shift 3
            for folder in /proc /dev /sys; do mount --rbind $folder "$root$folder"; done
            mkdir -p "$root$shared"
            mount --bind "$shared" "$root$shared"
            exec /usr/sbin/chroot --userspec="$user:$user" "$root" "$@"
            """
        // The sockets of other programs are next to this folder.
        let shared = String(scratch.path[..<(scratch.path.lastIndex(of: "/") ?? scratch.path.endIndex)])
        return [
            "/usr/bin/unshare", "--mount", "--propagation", "private", "/bin/sh", "-c", script, "sh", path,
            shared, String(DesktopStarter.user),
        ] + words
    }

    /// Installs packages once for all tests. `suite` is one of Debian's. Without a size it is a desktop.
    package static func installed(
        _ name: String,
        suite: String,
        packages: [String],
        size: String? = nil
    ) async throws -> DebianRoot {
        let root = DebianRoot(path: BuiltTree.source(".build/roots/\(name)-\(suite)"))
        let script = """
            set -eu
            # What was left open here would take the low numbers, and apt has a shell write to descriptors of one digit alone.
            for place in /proc/$$/fd/*; do
                number=${place##*/}
                if ((number > 2)); then eval "exec $number>&-"; fi
            done
            mkdir -p "$(dirname "$0")"
            exec 9> "$0.lock"
            flock 9
            [ "$(cat "$0.done" 2> /dev/null)" != "$2" ] || exit 0
            rm -rf --one-file-system "$0"
            mirror=$(sed -n 's/^URIs: //p' /etc/apt/sources.list.d/debian.sources 2> /dev/null | head -1)
            # What it mounts goes with it, however it ends.
            unshare --mount --propagation private mmdebstrap --quiet --variant=minbase --dpkgopt=force-unsafe-io \\
                --include="$2" \\
                --aptopt='Acquire::Check-Valid-Until "false"' "$1" "$0" "${mirror:-http://deb.debian.org/debian}" \\
                > "$0.log" 2>&1 || { tail -20 "$0.log"; exit 1; }
            printf %s "$2" > "$0.done"
            """
        let packages = packages + (size == nil ? Self.drawing : [])
        let much = size ?? "up to 400 MB to download, 1.1 GB there"
        print("Installing \(name) of Debian's \(suite) in .build (\(much)), where it is not there yet.")
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: "/bin/bash",
                arguments: ["-c", script, root.path, suite, packages.joined(separator: ",")],
                environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8"],
                hasLifeline: true
            )
        )
        let end = try await eventually(within: .seconds(900), "\(name) is installed") {
            guard let end = process.wait(deadlineMs: 0) else { throw NotYet("it is being installed") }
            return end
        }
        guard end == .exited(0) else { throw NotYet("\(name) could not be installed: \(end)") }
        return root
    }
}
