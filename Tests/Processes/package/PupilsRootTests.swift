import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

@Suite(
    "A school's computer",
    .enabled(if: Machine.isWanted, "needs root: starts a Debian with systemd in namespaces")
)
struct PupilsRootTests {
    @Test("An account of the school's group becomes a child at its first login, and other accounts do not")
    func pupils() async throws {
        try await Machine.run(PackageRootTests.desktop) { machine in
            try await ProtectRootTests.ready(machine)
            try machine.run(
                "groupadd class; useradd --create-home --shell /bin/bash --groups class minji; useradd --create-home --shell /bin/bash guest"
            )
            let unknown = try machine.attempt("screentime protect on --pupils no-such-group")
            #expect(!unknown.status.isSuccess && unknown.output.contains("has no group no-such-group"))
            try machine.run("screentime protect on --pupils class")
            try machine.run("pamtester login guest acct_mgmt")
            #expect(try !machine.run("screentime member list", as: "mum").contains("minji"))
            for start in 0...1 {
                if start == 1 { try await machine.restart() }
                try await machine.logIn("minji")
                try await ProtectRootTests.isSeen(machine, "minji")
            }
            let members = try machine.run("screentime member list", as: "mum")
            #expect(members.contains("minji") && !members.contains("guest"), "\(members)")
            try machine.run("screentime limit add mousepad 3s --member minji --then shield", as: "mum")
            try PackageRootTests.edit(machine, as: "minji")
            try await PackageRootTests.isHeld(machine, as: "minji")
            #expect(try machine.run("screentime protect status").contains("minji"))
            try machine.run("systemctl kill --signal STOP screentime-auth-service.service")
            try machine.run("pamtester login minji acct_mgmt")
            try machine.run("systemctl kill --signal CONT screentime-auth-service.service")
            try machine.run(
                "screentime protect off --yes; ! test -e /usr/share/pam-configs/screentime-pupils"
            )
            #expect(try !machine.run("cat /etc/pam.d/common-account").contains("protect welcome"))
        }
    }
}
