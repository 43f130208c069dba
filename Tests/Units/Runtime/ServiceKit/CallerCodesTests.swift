import Glibc
import STBus
import STContracts
import STPlatform
import STTestSupport
import STWire
import Testing

@testable import STServiceKit

@Suite("Codes that prove the sending service")
struct CallerCodesTests {
    private static let restricted = Catalogue.entries.flatMap { entry in
        entry.routes.compactMap { route in route.caller.map { (entry.service, route, $0) } }
    }
    private static let key = [UInt8](repeating: 7, count: SystemKey.bytes)

    private static func codes(_ service: ServiceName, key: [UInt8] = key) throws -> CallerCodes {
        try CallerCodes(of: service, key: key)
    }

    @Test("A code admits only the caller of a restricted route, with its own key, id, route and body")
    func restrictedRoutes() throws {
        #expect(Self.restricted.count >= 7)
        for (service, route, caller) in Self.restricted {
            let prove = try #require(try Self.codes(caller).proof)
            let checker = try Self.codes(service)
            let body = Array("{}".utf8)
            func outcome(_ proof: String?, id: String = "1", wanted: Bool = true) -> String {
                var header = RequestHeader(id: id, route: route.name)
                header.proof = proof
                let gate = RequestGate(
                    service: service,
                    owner: 1000,
                    rules: [route.name: .init(access: .owner, kind: route.kind, caller: caller)],
                    callers: CallerCheck(isProof: checker.isProof, isWanted: { _ in wanted })
                )
                let admission = gate.admit(
                    [header.encoded(), body],
                    from: Principal(uid: 1000, pid: 1, gid: 1000),
                    bootMs: 0,
                    ns: 0
                )
                guard case .refused(_, let problem, _, _) = admission else { return "admitted" }
                return problem.code
            }
            let right = prove("1", route.name, body)
            #expect(outcome(right) == "admitted", "\(route.name)")
            #expect(outcome(right, wanted: false) == "access.no_household")
            let other = [UInt8](repeating: 8, count: SystemKey.bytes)
            let wrong = [
                nil, "", right + "0", String(right.reversed()), prove("2", route.name, body),
                prove("1", route.name + "x", body), prove("1", route.name, [0]),
                try Self.codes(caller, key: other).proof?("1", route.name, body),
            ]
            for proof in wrong {
                #expect(outcome(proof) == "access.not_service", "\(route.name) \(proof ?? "-")")
            }
            #expect(outcome(right, id: "2") == "access.not_service")
            // A service can prove only its own name, and most services compute no codes.
            for impostor in (ServiceName.all + ServiceName.ofHousehold) where impostor != caller {
                let proof = try Self.codes(impostor).proof?("1", route.name, body)
                #expect(outcome(proof) == "access.not_service", "\(impostor) calls \(route.name)")
            }
        }
    }

    @Test("Children of one supervisor inherit the same key, and the key cannot be changed")
    func inherited() throws {
        let file = try SystemKey.make()
        let other = try SystemKey.make()
        func key(_ file: OwnedDescriptor) throws -> [UInt8]? {
            // The reader closes its descriptor.
            let copy = dup(file.number)
            return try SystemKey.load(environment: [SystemKey.variable: "\(copy)"], run: "/nonexistent")
        }
        #expect(try key(file) == key(file))
        #expect(try key(file) != key(other))
        #expect(pwrite(file.number, Self.key, Self.key.count, 0) == -1)
        let problem = #expect(throws: Problem.self) {
            try SystemKey.load(environment: [SystemKey.variable: "1000000"], run: "/nonexistent")
        }
        #expect(problem?.code == "start.no_key")
    }

    @Test(
        "Codes exist only in services that send or receive restricted requests, and descriptors are closed"
    )
    func needed() throws {
        for service in ServiceName.all + ServiceName.ofHousehold {
            let file = try SystemKey.make()
            let copy = dup(file.number)
            let environment = [SystemKey.variable: "\(copy)"]
            let codes = try CallerCodes.make(for: service, environment, run: "/nonexistent")
            #expect((codes != nil) == [.activity, .shield, .link].contains(service), "\(service)")
            #expect(fcntl(copy, F_GETFD) == -1)
        }
        // On a protected computer, desktop-agent cannot write to its account's run folder.
        #expect(try CallerCodes.make(for: .desktop, [:], run: "/nonexistent") == nil)
    }

    @Test("Without a supervisor the key is in the run folder, and a damaged key file is refused")
    func shared() async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let run = scratch.path
        let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<20 { group.addTask { try #require(try SystemKey.load(environment: [:], run: run)) } }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
        #expect(FileMark(run + "/key") != nil)
        try scratch.write("short", to: "key")
        #expect(try SystemKey.load(environment: [:], run: nil) == nil)
        let problem = #expect(throws: Problem.self) { try SystemKey.load(environment: [:], run: run) }
        #expect(problem?.code == "start.no_key")
    }
}
