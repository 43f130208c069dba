/// A colour of a page has two faces, as one of a shield has.
package typealias PageColor = ShieldColor
