import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

/// auth-service, activity-center and shield-service on a clock that a test sets, with a guardian and a child.
struct VirtualHousehold: Sendable {
    private static let services: [ServiceName] = [.auth, .activity, .shield]
    private static let passcode = "the guardian's"

    let system: TestSystem
    private let page: ClockPage

    static func run(_ body: @Sendable (VirtualHousehold) async throws -> Void) async throws {
        let scratch = try ScratchDirectory()
        let reading = TimeReading(wallMs: 1_900_000_000_000, bootMs: 50_000, monotonicMs: 50_000)
        let face = ClockState(reading: reading, zone: "Asia/Seoul", bootID: "virtual")
        let page = try ClockPage(creating: scratch.file("clock"), face)
        let options = TestSystemOptions(environment: [ClockPage.variable: page.path])
        try await TestSystem.run(services: services, options: options) { system in
            let client = system.client
            _ = try await client.call(MemberAdd.self, Member(name: "guardian", role: .guardian))
            _ = try await client.call(MemberAdd.self, Member(name: "kid", role: .child))
            let set = MemberPasscode.Request(member: "guardian", passcode: passcode)
            #expect(try await client.call(MemberPasscode.self, set).refusal == nil)
            try await body(VirtualHousehold(system: system, page: page))
        }
    }

    // MARK: - Time

    func pass(ms: Int64) async throws {
        try await move { reading in
            reading.wallMs += ms
            reading.bootMs += ms
            reading.monotonicMs += ms
        }
    }

    /// Sets the wall clock, as a person does.
    func step(ms: Int64) async throws { try await move { $0.wallMs += ms } }

    private func move(_ change: (inout TimeReading) -> Void) async throws {
        var face = page.state
        change(&face.reading)
        try page.write(face)
        for service in Self.services {
            _ = try await system.client.call(ClockTurn.self, to: service, Empty())
        }
    }

    // MARK: - What people do

    func ask(_ app: String, member: String? = "kid") async throws -> RequestView {
        let request = RequestAdd.Request(
            member: member,
            items: [TokenItem(kind: .application, id: app)],
            durationMs: 900_000
        )
        return try await system.client.call(RequestAdd.self, request).request
    }

    func approve(_ request: String, _ passcode: String = passcode) async throws -> RequestAnswered {
        try await system.client.call(RequestApprove.self, .init(request: request, passcode: passcode))
    }

    func setUpCodes() async throws -> String {
        let request = RequestCodeSetup.Request(member: "kid", passcode: Self.passcode)
        return try #require(try await system.client.call(RequestCodeSetup.self, request).secret)
    }

    /// Returns the present code of the guardian's phone, computed by Debian's oathtool.
    func code(_ secret: String) throws -> String {
        let path = system.scratch.file("code-\(page.generation)")
        let line = "oathtool --totp --base32 --now=@\(page.state.reading.wallMs / 1000) \(secret) > \(path)"
        #expect(Glibc.system(line) == 0)
        return String(ScratchDirectory.text(path).prefix { $0 != "\n" })
    }

    func give(_ code: String, _ request: String) async throws -> RequestAnswered {
        try await system.client.call(RequestCode.self, .init(request: request, code: code))
    }

    // MARK: - What came of it

    func view(_ request: String) async throws -> RequestView {
        let all = try await system.client.call(RequestList.self, .init()).requests
        return try #require(all.first { $0.request == request })
    }

    func reaches(_ request: String, _ state: RequestState) async throws {
        try await eventually("\(request) is \(state)") {
            let now = try await view(request)
            guard now.state == state else { throw NotYet("\(now)") }
        }
    }

    /// Returns the grants in the policy stream.
    func grants() async throws -> [String] {
        try await system.events(.policy, of: .shield).filter { $0.header.type == PolicyGrantChanged.type }.map
        {
            let request = try $0.decoded(PolicyGrantChanged.self).request
            return "\(request.request) \(request.state.rawValue)"
        }
    }
}
