/// Reads accessible objects with libatspi, which screen readers use.
enum AccessibilityReader {
    static let text = #"""
        import sys
        import gi
        gi.require_version('Atspi', '2.0')
        from gi.repository import Atspi, GLib

        WANTED = ('ACTIVE', 'FOCUSED', 'FOCUSABLE', 'SENSITIVE', 'SHOWING')


        def ours():
            desktop = Atspi.get_desktop(0)
            for number in range(desktop.get_child_count()):
                app = desktop.get_child_at_index(number)
                if app is not None and app.get_name() == 'Screen Time':
                    yield app


        def walk(node, depth):
            yield node, depth
            for number in range(node.get_child_count()):
                child = node.get_child_at_index(number)
                if child is not None:
                    yield from walk(child, depth + 1)


        def line(node, depth):
            states = node.get_state_set()
            names = [name for name in WANTED if states.contains(getattr(Atspi.StateType, name))]
            frame = ''
            if node.get_component_iface() is not None:
                place = node.get_component_iface().get_extents(Atspi.CoordType.SCREEN)
                frame = f'{place.x},{place.y} {place.width}x{place.height}'
            return '|'.join(['  ' * depth + node.get_role_name(), node.get_name(),
                             node.get_description(), ' '.join(names), frame])


        def heard(event):
            print(event.type, event.detail1, event.source.get_name(), flush=True)


        Atspi.init()
        if sys.argv[1] == 'tree':
            for app in ours():
                for node, depth in walk(app, 0):
                    print(line(node, depth))
        elif sys.argv[1] == 'press':
            for app in ours():
                for node, _ in walk(app, 0):
                    if node.get_name() == sys.argv[2] and node.get_action_iface() is not None:
                        print(node.get_action_iface().do_action(0))
                        # What was pressed may be gone with all around it.
                        sys.exit(0)
        else:
            listener = Atspi.EventListener.new(heard)
            for kind in ('object:state-changed:focused', 'window:activate', 'window:deactivate',
                         'object:children-changed', 'object:property-change:accessible-name'):
                listener.register(kind)
            print('ready', flush=True)
            GLib.MainLoop().run()
        """#
}
