/// The template of python3-dbusmock for logind, with additions.
///
/// The additions are the session of a process, a user's display, BlockInhibited and DelayInhibited that follow the inhibitors, and
/// the real holders of inhibitors.
enum LogindTemplate {
    static let text = #"""
        import os
        import dbus
        from gi.repository import GLib
        from dbusmock import MOCK_IFACE, mockobject
        from dbusmock.templates import logind
        from dbusmock.templates.logind import *

        BUS_NAME = logind.BUS_NAME
        MAIN_OBJ = logind.MAIN_OBJ
        MAIN_IFACE = logind.MAIN_IFACE
        SYSTEM_BUS = True
        SESSION = '/org/freedesktop/login1/session/'
        USER = '/org/freedesktop/login1/user/'
        FIND = '''
        ret = '%s' + str(args[0])
        if ret not in objects:
            raise dbus.exceptions.DBusException('unknown', name='org.freedesktop.login1.%s')
        '''


        def load(mock, parameters):
            logind.load(mock, parameters)
            mockobject.inhibitors = []
            mockobject.sessions_of_pids = {}
            mock.AddMethods(MAIN_IFACE, [
                ('GetSession', 's', 'o', FIND % (SESSION, 'NoSuchSession')),
                ('GetUser', 'u', 'o', FIND % (USER, 'NoSuchUser')),
            ])
            mock.AddProperties(MAIN_IFACE, dbus.Dictionary(
                {'BlockInhibited': '', 'DelayInhibited': ''}, signature='sv'))


        def tell():
            manager = mockobject.objects[MAIN_OBJ]
            changed = {}
            for mode, name in (('block', 'BlockInhibited'), ('delay', 'DelayInhibited')):
                whats = set()
                for held in mockobject.inhibitors:
                    if held[3] == mode:
                        whats.update(held[0].split(':'))
                changed[name] = ':'.join(sorted(whats))
            manager.UpdateProperties(MAIN_IFACE, dbus.Dictionary(changed, signature='sv'))


        @dbus.service.method(MAIN_IFACE, in_signature='ssss', out_signature='h',
                             sender_keyword='sender', connection_keyword='connection')
        def Inhibit(_, what, who, why, mode, sender=None, connection=None):
            ours, theirs = os.pipe()
            asked = dbus.Interface(connection.get_object('org.freedesktop.DBus', '/org/freedesktop/DBus'),
                                   'org.freedesktop.DBus')
            pid = asked.GetConnectionUnixProcessID(sender)
            uid = asked.GetConnectionUnixUser(sender)
            held = (str(what), str(who), str(why), str(mode), dbus.UInt32(uid), dbus.UInt32(pid))
            mockobject.inhibitors.append(held)

            def dropped(descriptor, _condition):
                os.close(descriptor)
                if held in mockobject.inhibitors:
                    mockobject.inhibitors.remove(held)
                tell()
                return False

            GLib.unix_fd_add_full(GLib.PRIORITY_HIGH, ours, GLib.IO_HUP, dropped)
            given = dbus.types.UnixFd(theirs)
            os.close(theirs)
            tell()
            return given


        @dbus.service.method(MAIN_IFACE, in_signature='', out_signature='a(ssssuu)')
        def ListInhibitors(_):
            return dbus.Array(mockobject.inhibitors, signature='(ssssuu)')


        @dbus.service.method(MAIN_IFACE, in_signature='u', out_signature='o')
        def GetSessionByPID(_, pid):
            session = mockobject.sessions_of_pids.get(int(pid))
            if session is None:
                raise dbus.exceptions.DBusException(
                    'PID %d does not belong to any known session' % pid,
                    name='org.freedesktop.login1.NoSessionForPID')
            return dbus.ObjectPath(SESSION + session)


        @dbus.service.method(MOCK_IFACE, in_signature='us', out_signature='')
        def SetSessionOfPID(_, pid, session):
            mockobject.sessions_of_pids[int(pid)] = str(session)


        @dbus.service.method(MOCK_IFACE, in_signature='us', out_signature='')
        def SetDisplay(_, uid, session):
            mockobject.objects[USER + str(uid)].Set(
                'org.freedesktop.login1.User', 'Display', (str(session), dbus.ObjectPath(SESSION + session)))


        @dbus.service.method(MOCK_IFACE, in_signature='ssssu', out_signature='')
        def HoldInhibitor(_, what, who, why, mode, pid):
            mockobject.inhibitors.append(
                (str(what), str(who), str(why), str(mode), dbus.UInt32(1000), dbus.UInt32(pid)))
            tell()


        @dbus.service.method(MOCK_IFACE, in_signature='s', out_signature='')
        def ReleaseInhibitor(_, who):
            mockobject.inhibitors[:] = [held for held in mockobject.inhibitors if held[1] != who]
            tell()
        """#
}
