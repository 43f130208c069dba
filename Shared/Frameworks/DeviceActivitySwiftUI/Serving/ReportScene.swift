import STContracts
import STPlatform

/// A scene of which nobody needs to know the kind.
@MainActor
struct ReportScene {
    let context: String
    /// The page of the data.
    let page: @MainActor (DeviceActivityResults<DeviceActivityData>, ReportPageStyle) async throws -> Page

    private init(_ scene: some DeviceActivityReportScene) {
        context = scene.context.rawValue
        page = { data, style in
            let configuration = await Self.configuration(HandedOver(scene), data)
            try style.check()
            return try await PageBuilder.page(
                of: scene.content(configuration.value),
                language: style.language,
                zone: style.zone
            )
        }
    }

    /// Away from the main thread, as an app's own code that goes through data expects it.
    private nonisolated static func configuration<Scene: DeviceActivityReportScene>(
        _ scene: HandedOver<Scene>,
        _ data: DeviceActivityResults<DeviceActivityData>
    ) async -> HandedOver<Scene.Configuration> {
        HandedOver(await scene.value.makeConfiguration(representing: data))
    }

    static func all(of scene: some DeviceActivityReportScene) -> [ReportScene] {
        (scene as? ReportSceneList)?.scenes ?? [ReportScene(scene)]
    }
}

/// Something that only one side looks at at a time: whoever hands it over waits for the other.
private struct HandedOver<Value>: @unchecked Sendable {
    // @unchecked: said above.
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// In whose words a page is, and whether what it is about is whole.
struct ReportPageStyle: Sendable {
    var language: String
    var zone: String?
    /// Throws when the data broke off: half of a report would look like a whole one.
    var check: @Sendable () throws -> Void
}
