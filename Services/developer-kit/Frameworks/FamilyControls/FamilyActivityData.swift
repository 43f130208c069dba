import Foundation
public import ManagedSettings
import STFoundationTypes

/// The names of the device's apps and sites, which Apple only provides in the European Union.
///
/// Screen Time has no permission for this data, so each property throws the same error as for an app without permission.
public final class FamilyActivityData: Sendable {
    public static let shared = FamilyActivityData()

    private init() {}

    public var activityCategories: Set<ActivityCategory> {
        get async throws { throw refused("activityCategories") }
    }

    public var installedApplications: [Application] {
        get async throws { throw refused("installedApplications") }
    }

    public var visitedWebDomains: [WebDomain] { get async throws { throw refused("visitedWebDomains") } }

    private func refused(_ name: String) -> FamilyControlsError {
        FrameworkLog.withoutEffect("FamilyActivityData.\(name)", "FamilyControls")
        return .unauthorized
    }
}
