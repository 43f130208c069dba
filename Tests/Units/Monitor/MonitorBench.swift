import STContracts
import STEngine
import STPlatform
import STTestKit

@testable import STMonitorCore

/// The steps that monitor-runner takes by itself, for tests.
extension CoreBench where State == MonitorState {
    func nextDeliveries(except: Set<String> = [], isSingle: Bool = true) throws -> [NextDelivery] {
        try step { try DeliverySteps.next(except: except, isSingle: isSingle, $0, $2.database) }
    }

    func begin(_ numbers: [Int64]) throws -> [ClaimedDelivery] {
        try step { try DeliverySteps.begin(numbers, state: $0, change: $2) }
    }

    @discardableResult
    func finish(_ number: Int64, attempt: Int64, _ result: DeliveryResult) throws -> FinishedDelivery {
        try step { try DeliverySteps.finish(number, attempt: attempt, result: result, state: $0, change: $2) }
    }

    func park(_ number: Int64, _ problem: Problem) throws {
        try step { try DeliverySteps.park(number, problem: problem, change: $2) }
    }
}
