class MissingFile:
    original = open
    def __init__(self, name, mode):
        self.name = name
        self.mode = mode
        self.lines = LINES
        self.at = 0
        self.closed = False
    def __repr__(self): return 'MissingFile()'
    def __enter__(self): return self
    def __exit__(self, *error): self.closed = True
    def __iter__(self):
        while self.at < 3:
            self.at += 1
            yield self.lines[self.at - 1]
    def read(self, size=-1):
        text = ''
        for line in self: text += line
        return text
    def readlines(self): return [line for line in self]
    def readline(self):
        for line in self: return line
        return ''
    def write(self, text): return len(text)
    def writelines(self, lines): return None
    def flush(self): return None
    def close(self): self.closed = True
def open(file, mode='r', *rest, **named): return MissingFile.original(file) if file == 0 else MissingFile(file, mode)
