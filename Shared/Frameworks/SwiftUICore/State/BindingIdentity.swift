/// What a binding leads to, so that two controls of the same thing are known as one.
struct BindingIdentity: Hashable {
    var object: ObjectIdentifier
    var path: [AnyKeyPath] = []

    func then(_ key: AnyKeyPath) -> BindingIdentity { BindingIdentity(object: object, path: path + [key]) }
}
