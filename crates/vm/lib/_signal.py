# The native part of `signal`, which is walked from its source: handlers, which nothing calls.
# Level: methods

_handlers = {}


class ItimerError(OSError):
    __module__ = "signal"


class struct_siginfo:
    __module__ = "signal"


def _signal_number(number):
    if not isinstance(number, int):
        raise TypeError("'" + _classof(number).__name__ + "' object cannot be interpreted as an integer")
    if not 1 <= number <= 64:
        raise ValueError("signal number out of range")
    return int(number)


def default_int_handler(signalnum, frame, /):
    raise KeyboardInterrupt


def getsignal(signalnum, /):
    number = _signal_number(signalnum)
    # The interpreter ignores PIPE and XFSZ.
    return _handlers.get(number, default_int_handler if number == 2 else 1 if number in (13, 25) else 0)


def signal(signalnum, handler, /):
    number = _signal_number(signalnum)
    if not callable(handler) and not (isinstance(handler, int) and 0 <= handler <= 1):
        raise TypeError("signal handler must be signal.SIG_IGN, signal.SIG_DFL, or a callable object")
    if number in (9, 19, 32, 33):
        raise OSError(22, "Invalid argument")
    before = getsignal(number)
    _handlers[number] = handler
    return before


def raise_signal(signalnum, /):
    # The sandbox does not let a program send a signal.
    if not isinstance(signalnum, int):
        raise TypeError("'" + _classof(signalnum).__name__ + "' object cannot be interpreted as an integer")
    raise PermissionError(1, "Operation not permitted")


def valid_signals():
    return {number for number in range(1, 65) if number not in (32, 33)}


def alarm(seconds, /):
    if seconds == 0:
        return 0
    _throw("signal.alarm")


def getitimer(which, /):
    return (0.0, 0.0)


def setitimer(which, seconds, interval=0.0, /):
    if seconds == 0:
        return (0.0, 0.0)
    _throw("signal.setitimer")


def siginterrupt(signalnum, flag, /):
    _signal_number(signalnum)


def pause():
    _throw("signal.pause")


def set_wakeup_fd(fd, /, *, warn_on_full_buffer=True):
    if fd == -1:
        return -1
    _throw("signal.set_wakeup_fd")


def strsignal(signalnum, /):
    _throw("signal.strsignal")


def pidfd_send_signal(pidfd, signalnum, siginfo=None, flags=0, /):
    _throw("signal.pidfd_send_signal")


def pthread_kill(thread_id, signalnum, /):
    _throw("signal.pthread_kill")


def pthread_sigmask(how, mask, /):
    _throw("signal.pthread_sigmask")


def sigpending():
    return set()


def sigwait(sigset, /):
    _throw("signal.sigwait")


def sigwaitinfo(sigset, /):
    _throw("signal.sigwaitinfo")


def sigtimedwait(sigset, timeout, /):
    _throw("signal.sigtimedwait")
