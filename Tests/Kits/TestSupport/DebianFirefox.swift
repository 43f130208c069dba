import STPlatform

/// Debian's Firefox, unpacked below `.build` without installation. It is downloaded once.
package enum DebianFirefox {
    /// Returns the folder of the program.
    package static func folder() async throws -> String {
        let folder = BuiltTree.source(".build/firefox")
        let script = """
            set -eu
            mkdir -p "$0"
            cd "$0"
            # One at a time: two would unpack into each other.
            exec 9> lock
            flock 9
            # Desktops run as another user.
            chmod 755 .
            [ ! -e done ] || exit 0
            apt-get download -q firefox-esr > apt.log 2>&1 || { cat apt.log; exit 1; }
            dpkg-deb --extract firefox-esr_*.deb tree
            rm firefox-esr_*.deb
            : > done
            """
        print("Downloading Debian's Firefox (80 MB), where it is not there yet.")
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: "/bin/sh",
                arguments: ["-c", script, folder],
                environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8"],
                hasLifeline: true
            )
        )
        let end = try await eventually(within: .seconds(600), "Firefox is downloaded") {
            guard let end = process.wait(deadlineMs: 0) else { throw NotYet("it is being downloaded") }
            return end
        }
        guard end == .exited(0) else { throw NotYet("Firefox could not be downloaded: \(end)") }
        return folder + "/tree/usr/lib/firefox-esr"
    }
}
