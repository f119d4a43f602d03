stack = []
stack.append(3)
stack.append(5)
stack.append(8)
top = stack.pop()
stack[0] = stack[0] + top
print(stack)
print(len(stack))
