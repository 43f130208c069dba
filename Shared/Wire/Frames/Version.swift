/// The version of the product, as CHANGELOG.md tells it.
package enum Version {
    package static let text = "0.5.0"
}
