/// Something that can move; on a page nothing does.
public protocol Animatable {}
