import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

extension SystemSuite {
    @Suite("Restricted routes")
    struct RestrictedRouteTests {
        @Test(
            "A restricted route refuses other programs of the account, and every program without a household"
        )
        func refused() async throws {
            let restricted = Catalogue.entries.flatMap { entry in
                entry.routes.compactMap { route in route.caller.map { (entry.service, route.name, $0) } }
            }
            let services = Array(Set(restricted.map(\.0))).sorted { $0.rawValue < $1.rawValue }
            try await TestSystem.run(services: services) { system in
                func codes() throws -> Set<String?> {
                    Set(
                        try restricted.map { service, route, _ in
                            let peer = try RawPeer(.dealer, try system.endpoint(service))
                            defer { peer.close() }
                            let header = RequestHeader(
                                id: "1",
                                route: route,
                                proof: String(repeating: "0", count: 64)
                            )
                            return try peer.exchange([header.encoded(), Array("{}".utf8)]).problem?.code
                        }
                    )
                }
                #expect(try codes() == ["access.no_household"])
                for caller in Set(restricted.map(\.2)) {
                    let mark = system.directories.wantedFile(service: caller.rawValue)
                    try AtomicFile.write([], to: mark, durable: false)
                }
                #expect(try codes() == ["access.not_service"])
                // No service has a descriptor of the key for its children to inherit, and the run folder has no key file.
                for service in services {
                    let pid = try system.pid(service)
                    let names = (try? DirectoryTree.names(in: "/proc/\(pid)/fd")) ?? []
                    #expect(getuid() == 0 || names.isEmpty)
                    for name in names {
                        let target = ProcFile.link("/proc/\(pid)/fd/\(name)") ?? ""
                        #expect(!target.contains("screentime-key"))
                    }
                }
                #expect(FileMark("\(system.directories.run)/key") == nil)
            }
        }
    }
}
