package import STContracts

/// The page of each built-in report.
package enum BuiltInScenes {
    package static func page(_ scene: ReportScene, _ input: SceneInput) -> Page {
        switch scene {
        case .total: TotalScene.page(input)
        case .categories, .apps: PieScene.page(scene, input)
        case .hours, .days, .weeks: BarScene.page(scene, input)
        case .timeline: TimelineScene.page(input)
        case .pickups: PickupScene.page(input)
        case .compare: CompareScene.page(input)
        case .household: HouseholdScene.page(input)
        }
    }
}
