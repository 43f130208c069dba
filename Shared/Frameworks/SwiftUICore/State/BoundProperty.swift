/// A property of this module's: it is told where its view stands before the body is asked for.
@MainActor
protocol BoundProperty: DynamicProperty {
    /// `number` tells the properties of one view apart.
    func bind(to page: PageWriter, _ number: Int) throws
}
