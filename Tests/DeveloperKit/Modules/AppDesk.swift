import STClientLink
import STContracts
import STFoundationTypes
import STPlatform
import STTestKit
import Synchronization
import Testing

@testable import DeviceActivity
@testable import FamilyControls

/// Tests with real services. They run one after the other because each one uses the whole machine.
@Suite("Frameworks and services", .serialized)
enum ServicesSuite {}

/// Link and centers of an app for tests with services, and the questions of the app.
final class AppDesk: Sendable {
    let link: ClientLink
    let authorization: AuthorizationCenter
    private let channel: ServiceChannel
    private let asked: Asked

    private final class Asked: Sendable {
        let requests = Mutex<[String]>([])
    }

    init(_ app: String, _ directories: Directories, member: String? = nil) throws {
        channel = try ServiceChannel(directories)
        var environment = ["SCREENTIME_APP": app]
        environment["SCREENTIME_MEMBER"] = member
        link = ClientLink(identity: AppIdentity(environment: environment, executable: app), channel: channel)
        let asked = Asked()
        self.asked = asked
        authorization = AuthorizationCenter(link: link) { _, request in
            asked.requests.withLock { $0.append(request) }
            return nil
        }
    }

    var center: DeviceActivityCenter { DeviceActivityCenter(link: link) }

    /// Request ids of the questions to a person.
    var questions: [String] { asked.requests.withLock { $0 } }

    func close() { channel.close() }
}
