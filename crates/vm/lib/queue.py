# The part of `queue` that is written in Python.

import heapq
import threading


class Queue:
    def __init__(self, maxsize=0):
        self.maxsize = maxsize
        self.queue = []
        self.unfinished_tasks = 0
        self._getters = []
        self._putters = []
        self._joiners = []

    def qsize(self):
        return _len(self.queue)

    def empty(self):
        return _len(self.queue) == 0

    def full(self):
        return 0 < self.maxsize <= _len(self.queue)

    def _waited(self, stops, waiting, timeout):
        # Whether the blocking condition ends before the timeout.
        if timeout is not None and timeout < 0:
            raise ValueError("'timeout' must be a non-negative number")
        end = None if timeout is None else threading._seconds() + timeout
        while stops():
            rest = None if end is None else end - threading._seconds()
            if rest is not None and rest <= 0:
                return False
            threading._wait_in(waiting, None if rest is None else threading._until(rest))
        return True

    def _wake(self, waiting):
        if _len(waiting) != 0:
            threading._wake_first(waiting)

    def put(self, item, block=True, timeout=None):
        if self.full():
            if not block or not self._waited(self.full, self._putters, timeout):
                from queue import Full

                raise Full
        self._put(item)
        self.unfinished_tasks += 1
        self._wake(self._getters)

    def get(self, block=True, timeout=None):
        if _len(self.queue) == 0:
            if not block or not self._waited(self.empty, self._getters, timeout):
                from queue import Empty

                raise Empty
        item = self._get()
        self._wake(self._putters)
        return item

    def put_nowait(self, item):
        self.put(item, False)

    def get_nowait(self):
        return self.get(False)

    def task_done(self):
        if self.unfinished_tasks <= 0:
            raise ValueError("task_done() called too many times")
        self.unfinished_tasks -= 1
        if self.unfinished_tasks == 0:
            for _ in range(_len(self._joiners)):
                self._wake(self._joiners)

    def _unfinished(self):
        return self.unfinished_tasks != 0

    def join(self):
        if self.unfinished_tasks != 0:
            self._waited(self._unfinished, self._joiners, None)

    def _put(self, item):
        _push(self.queue, item)

    def _get(self):
        item = self.queue[0]
        del self.queue[0]
        return item


class LifoQueue(Queue):
    def _get(self):
        item = self.queue[-1]
        del self.queue[-1]
        return item


class PriorityQueue(Queue):
    def _put(self, item):
        heapq.heappush(self.queue, item)

    def _get(self):
        return heapq.heappop(self.queue)


class SimpleQueue(Queue):
    __module__ = "_queue"
