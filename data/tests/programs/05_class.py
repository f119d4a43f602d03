class Counter:
    start = 10

    def __init__(self, step):
        self.value = Counter.start
        self.step = step

    def tick(self):
        self.value += self.step
        return self.value


c = Counter(2)
print(c.tick(), c.tick())
