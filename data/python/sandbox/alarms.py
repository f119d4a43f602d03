"""`signal.alarm` and `signal.setitimer` by the program's own clock.

Sleeping takes no time here, so the kernel's alarm would come long after the program has ended. An alarm is due at
a time of the fixed clock. Anything that moves the clock beyond that time (sleeping, waiting, reading it) stops
there first and calls the program's handler, in the main thread. Computing does not move the clock: a program that
only computes is interrupted after that much CPU time.

Not supported: timers of CPU time (`ITIMER_VIRTUAL`, `ITIMER_PROF` are the kernel's), and interrupting waits outside of
Python.
"""

LEAST_TIMER = 0.000_001  # seconds; the kernel takes nothing for no timer


class Alarm:
    """The only timer of a program, and the functions of `signal` that set it and wait for it."""

    def __init__(self, clock):
        import signal

        self.clock, self.signal, self.number = clock, signal, int(signal.SIGALRM)
        self.due, self.interval = None, 0
        self.thread = _thread.get_ident()
        self.real = {name: getattr(signal, name) for name in ("setitimer", "getitimer", "pause", "sigwait")}
        self.handler_of, self.masked = signal.getsignal, signal.pthread_sigmask

    def install(self):
        for module in self.signal, sys.modules["_signal"]:
            for name in ("alarm", "setitimer", "getitimer", "pause", "sigwait"):
                setattr(module, name, getattr(self, name))
        self.signal.signal(self.signal.SIGVTALRM, self.computed)
        self.clock.alarm = self

    # -- functions of `signal` --------------------------------------------------------------------

    def alarm(self, seconds, /):
        left = self.left()
        self.set(index(seconds), 0)
        return max(1, round(left)) if left else 0

    def setitimer(self, which, seconds, interval=0.0, /):
        if which != self.signal.ITIMER_REAL:
            return self.real["setitimer"](which, seconds, interval)
        if seconds < 0 or interval < 0:
            raise self.signal.ItimerError(22, "Invalid argument")
        before = self.getitimer(which)
        self.set(seconds, interval)
        return before

    def getitimer(self, which, /):
        if which != self.signal.ITIMER_REAL:
            return self.real["getitimer"](which)
        return self.left(), self.interval / 1e9

    def pause(self, /):
        if self.due is None:
            self.real["pause"]()
        self.clock.move_to(self.due)

    def sigwait(self, sigset, /):
        sigset = set(sigset)
        if self.number not in sigset or self.due is None:
            return self.real["sigwait"](sigset)
        self.clock.now = max(self.clock.now, self.due)
        self.again()
        return self.signal.Signals(self.number)

    # -- the timer --------------------------------------------------------------------------------

    def left(self):
        """Seconds until the alarm; 0 if there is none."""
        return 0.0 if self.due is None else max(self.due - self.clock.now, 1000) / 1e9

    def set(self, seconds, interval):
        self.interval = round(interval * 1_000_000_000)
        self.due = self.clock.now + max(1000, round(seconds * 1_000_000_000)) if seconds else None
        self.real["setitimer"](self.signal.ITIMER_VIRTUAL, seconds)
        if self.due is not None and self.clock.turns is not None:
            self.clock.turns.expect(self.due)

    def again(self):
        """After the alarm: the next one, if there is an interval."""
        interval = self.interval / 1e9
        self.set(interval, interval)

    def ring(self):
        """Fires the alarm: calls the program's handler, as from the place where it waits."""
        self.again()
        handler = self.handler_of(self.number)
        if callable(handler):
            handler(self.number, _frame_of_program(sys._getframe(1)))
        elif handler == self.signal.SIG_DFL and self.number not in self.masked(self.signal.SIG_BLOCK, ()):
            self.real["setitimer"](self.signal.ITIMER_REAL, LEAST_TIMER)
            self.real["pause"]()

    def until(self, end):
        """Fires the alarms due up to a time of the clock, which stops at each."""
        while self.due is not None and self.due <= end and _thread.get_ident() == self.thread:
            if self.interval and self.handler_of(self.number) == self.signal.SIG_IGN:
                self.due += (end - self.due) // self.interval * self.interval + self.interval
                continue
            self.clock.now = max(self.clock.now, self.due)
            self.ring()

    def computed(self, number, frame):
        """The program has computed for the requested time."""
        if self.due is None:
            return
        if frame is not None and frame.f_globals is globals():
            # The tracer is running: an exception would be its own.
            self.real["setitimer"](self.signal.ITIMER_VIRTUAL, LEAST_TIMER)
            return
        self.until(self.due)


def sets_alarms(source):
    return "alarm" in source or "itimer" in source


def set_alarms_by_clock():
    """For a process of one program."""
    Alarm(fixed_clock).install()
