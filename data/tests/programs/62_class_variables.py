class Node:
    count = 0
    all: list = []

    def __init__(self, parent=None):
        Node.count += 1
        self.parent = parent
        self.all.append(self)


root = Node()
leaf = Node(root)
print(Node.count, leaf.parent is root)
