package import STPlatform
package enum Budget { static func noThreshold(field: String) -> Problem { Problem("activity.bad_threshold","x",field:field) } }
