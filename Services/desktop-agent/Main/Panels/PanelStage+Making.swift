import STContracts
import STDesktopCore
import STPlatform
import STScreen
import STServiceKit
import STZeroMQ

extension PanelStage {
    /// Nil where pictures cannot be drawn at all; everything else works without panels.
    static func make(
        _ surroundings: Surroundings,
        _ hub: DesktopHub,
        _ client: BusClient,
        _ facts: DesktopFacts,
        _ board: ShieldBoard,
        _ access: AccessiblePanes?
    ) -> PanelStage? {
        let environment = ProcessEnvironment.current()
        do {
            let easel = try Easel(
                thread: surroundings.loop.thread,
                program: DoctorDesk.drawer,
                folder: "\(surroundings.directories.run)/\(ServiceName.desktop)/panels",
                environment: environment
            )
            return PanelStage(
                surroundings,
                client: client,
                ground: hub,
                easel: easel,
                facts: facts,
                board: board,
                settings: .session(environment, surroundings.configuration),
                access: access
            )
        } catch {
            surroundings.log.problem("no_panels", error)
            return nil
        }
    }
}
